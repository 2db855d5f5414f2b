/** Whether two base URLs lead to one server: a key that is stored for it stays with it. One that is not whole yet counts as the same. */
export function sameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other.trim())) return true;
  return new URL(one).origin === new URL(other.trim()).origin;
}
