// Server-sent events out of a byte stream.
export interface StreamEvent {
  id: string;
  data: string;
}

/** The longest event that is put together, in characters; a service that sends more is not ours. */
const LONGEST_EVENT = 8 << 20;

/** Takes text in any pieces and gives the events that are whole. */
export class EventStreamParser {
  private rest = "";

  take(piece: string): StreamEvent[] {
    this.rest += piece.replaceAll("\r\n", "\n");
    const events: StreamEvent[] = [];
    for (let end = this.rest.indexOf("\n\n"); end >= 0; end = this.rest.indexOf("\n\n")) {
      const event = parse(this.rest.slice(0, end));
      this.rest = this.rest.slice(end + 2);
      if (event) events.push(event);
    }
    if (this.rest.length > LONGEST_EVENT)
      throw new Error("An event of the stream is longer than any that the service sends");
    return events;
  }
}

function parse(text: string): StreamEvent | undefined {
  let id = "";
  const data: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("id:")) id = line.slice(3).trimStart();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length > 0 ? { id, data: data.join("\n") } : undefined;
}
