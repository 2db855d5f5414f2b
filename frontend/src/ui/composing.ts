/** Whether a key is for an input method, which makes a word of several keys. Safari says of the Enter that takes the word only by its code that it is. */
export function composes(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
