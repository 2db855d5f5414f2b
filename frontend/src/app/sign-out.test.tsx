import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useSignIn } from "../api/sign-in";
import { SignInPage } from "../features/sign-in/sign-in-page";
import { button, click, onPage } from "../ui/on-page";
import { useSignOut } from "./sign-out";

vi.mock("@tanstack/react-router", () => ({ useNavigate: () => async () => {} }));

function Page() {
  const signOut = useSignOut();
  const { signedIn } = useSignIn();
  if (!signedIn) return <SignInPage />;
  return (
    <button type="button" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}

let answer: () => Response;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => answer());
  useSignIn.getState().entered();
});

async function signedOut() {
  const page = onPage(<Page />);
  await click(button(page.place, "Sign out"));
  await act(() => vi.waitFor(() => button(page.place, "Sign in")));
  return page;
}

it("says when the service could not be told, and tries it again", async () => {
  answer = () => {
    throw new TypeError("network error");
  };
  const { place, leave } = await signedOut();
  expect(place.textContent).toContain("this browser is still signed in");
  expect(localStorage.getItem("gadget.signed-in")).toBe("leaving");
  answer = () => new Response();
  await click(button(place, "Try again"));
  await act(() => vi.waitFor(() => expect(place.textContent).not.toContain("still signed in")));
  expect(localStorage.getItem("gadget.signed-in")).toBeNull();
  leave();
});

it.each([204, 401])("is over when the service answers %s", async (status) => {
  answer = () => new Response(null, { status });
  const { place, leave } = await signedOut();
  expect(place.textContent).not.toContain("still signed in");
  leave();
});
