import { describe, expect, it } from "vitest";
import { sameServer } from "./same-server";

describe("the server of a base URL", () => {
  it("is the same whatever the path, the case and a port that goes without saying", () => {
    expect(sameServer("https://api.example.org/v1", " https://API.example.org:443/v2/")).toBe(true);
  });

  it("is another with another scheme, host or port", () => {
    for (const other of ["http://api.example.org", "https://example.org", "https://api.example.org:8443"]) {
      expect(sameServer("https://api.example.org/v1", other)).toBe(false);
    }
  });

  it("is not another while the address is being typed", () => {
    expect(sameServer("https://api.example.org/v1", "https")).toBe(true);
  });
});
