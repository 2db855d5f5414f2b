import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { SessionPage } from "../features/conversation/session-page";
import { HomePage } from "../features/first-run/home-page";
import { BrokenPage } from "./broken-page";
import { NotFoundPage } from "./not-found-page";
import { Root } from "./root";

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

const home = createRoute({ getParentRoute: () => root, path: "/", component: HomePage });

const session = createRoute({
  getParentRoute: () => root,
  path: "/sessions/$sessionId",
  component: SessionPage,
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("../features/settings/settings-page"), "SettingsPage"),
});

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/$section", params: { section: "providers" } });
  },
});

const settingsSection = createRoute({
  getParentRoute: () => settings,
  path: "$section",
  component: lazyRouteComponent(() => import("../features/settings/settings-page"), "SettingsSection"),
});

const routes = root.addChildren([home, session, settings.addChildren([settingsHome, settingsSection])]);

export function makeRouter() {
  return createRouter({
    routeTree: routes,
    defaultPreload: "intent",
    defaultErrorComponent: BrokenPage,
    scrollRestoration: false,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
