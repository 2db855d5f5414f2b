import { describe, expect, test } from "vitest";
import type { SessionDetail, Turn } from "../protocol/messages.gen";
import { emptyTurn } from "../turn/recorded";
import { sharing, withKnown } from "./session-turns";

const turn = (id: string, prompt = id): Turn => ({ ...emptyTurn, id, prompt });
const session = (ids: string, earlier?: string): SessionDetail =>
  ({ id: "s1", name: "Cart", turns: [...ids].map((id) => turn(id)), earlier }) as SessionDetail;
const ids = (detail: SessionDetail) => detail.turns.map((one) => one.id).join("");

describe("the turns of the open session", () => {
  test("keep the earlier ones when the latest are read again, and where still earlier ones begin", () => {
    const known = session("bcdef", "b");
    const read = withKnown(known, session("efg", "e"));
    expect(ids(read)).toBe("bcdefg");
    expect(read.earlier).toBe("b");
  });

  test("a prompt that was taken back is gone", () => {
    expect(ids(withKnown(session("abcd", "a"), session("bc", "b")))).toBe("abc");
  });

  test("nothing earlier is kept when turns between are missing, and of a whole session nothing has to be", () => {
    expect(ids(withKnown(session("abc", "a"), session("xyz", "x")))).toBe("xyz");
    expect(ids(withKnown(session("abc", "a"), session("bc")))).toBe("bc");
    expect(ids(withKnown(undefined, session("bc", "b")))).toBe("bc");
  });

  test("stay the same objects while they say the same, wherever they stand", () => {
    const before = session("cd");
    const now = sharing(before, session("abcd"));
    expect(now.turns[2]).toBe(before.turns[0]);
    expect(now.turns[3]).toBe(before.turns[1]);
    expect(sharing(before, session("cd"))).toBe(before);
    const renamed = sharing(before, { ...session("cd"), name: "Stock" });
    expect(renamed.turns).toBe(before.turns);
    expect(renamed.name).toBe("Stock");
    const changed = sharing(before, { ...session("cd"), turns: [turn("c"), turn("d", "other")] });
    expect(changed.turns[0]).toBe(before.turns[0]);
    expect(changed.turns[1]?.prompt).toBe("other");
  });
});
