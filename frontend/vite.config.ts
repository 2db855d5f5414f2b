import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const codeService = process.env.GADGET_SERVER ?? process.env.GADGET_CODE_URL ?? "http://127.0.0.1:8080";

// The code service checks the Origin header, so the proxy says its own.
const toCodeService = {
  target: codeService,
  changeOrigin: true,
  headers: { origin: codeService },
};

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    port: 5173,
    proxy: {
      "/api": toCodeService,
      "/q": toCodeService,
      "/ws": { ...toCodeService, ws: true },
    },
  },
  build: {
    // Nothing inline: the page is served under a strict content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    // A machine that builds beside it may stand still for seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
