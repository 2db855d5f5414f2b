// Steps that the scenarios share.
import { eventually } from "../lib/processes.mjs";

export const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/** A prompt whose answer is so many numbered tokens after so many of thinking, so many a second. */
export const lorem = ({ tokens, thinking = 40, rate }) => `[[lorem tokens=${tokens} thinking=${thinking} rate=${rate}]]`;

/** Whether a text is at least one whole sentence. */
export const sentences = (text) => typeof text === "string" && /\S+ \S+.*[.!?]/s.test(text);

/** Waits until so many characters of the turn's text are there, so that the fault comes in the middle of it. */
export async function streaming(rig, turnId, characters) {
  await eventually("the turn streams", async () => (await textLength(rig, turnId)) >= characters, { seconds: 60, programs: rig.programs() });
}

async function textLength(rig, turnId) {
  return (await rig.turn(turnId)).blocks.reduce((sum, block) => sum + (typeof block.content === "string" ? block.content.length : 0), 0);
}

/** Characters of text that a reader holds. */
export const heldBy = (reader) => reader.reader.blocks.reduce((sum, block) => sum + (typeof block.content === "string" ? block.content.length : 0), 0);
