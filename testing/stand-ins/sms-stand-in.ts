/**
 * The text message gateway for tests, according to Mobile Message's documentation. It checks its keys,
 * accepts texts, and can fail in every documented way.
 */
export type SmsFault = "lost" | "malformed" | { status: number; retryAfter?: string } | { result: string };

/** A text as its phone receives it. */
export type SentText = { to: string; message: string; sender: string; custom_ref: string };

export class SmsStandIn {
  /** The accepted texts, in order. */
  readonly sent: SentText[] = [];
  /** Number of calls, whatever their outcome. */
  calls = 0;
  readonly #keys: string;
  readonly #faults: SmsFault[] = [];

  /** @param keys in the format of SMS_KEYS */
  constructor(keys: string) {
    this.#keys = keys;
  }

  /** Makes the next calls fail in these ways, in this order. */
  fail(...faults: SmsFault[]): void {
    this.#faults.push(...faults);
  }

  /** Receives one call. @throws to simulate a network failure */
  async fetch(request: Request): Promise<Response> {
    this.calls += 1;
    const fault = this.#faults.shift();
    if (fault === "lost") throw new TypeError("Network connection lost");
    if (fault === "malformed") return new Response("<h1>Maintenance</h1>");
    if (fault && "status" in fault)
      return new Response(null, {
        status: fault.status,
        headers: fault.retryAfter ? { "Retry-After": fault.retryAfter } : {},
      });
    if (request.headers.get("Authorization") !== `Basic ${btoa(this.#keys)}`)
      return Response.json({ error: "Invalid credentials" }, { status: 401 });
    const { messages } = (await request.json()) as { messages: SentText[] };
    const results = messages.map((text) => {
      const status = fault ? fault.result : "success";
      if (status === "success") this.sent.push(text);
      const { to, custom_ref } = text;
      return { to, custom_ref, status, cost: 1, message_id: crypto.randomUUID() };
    });
    return Response.json({ status: "complete", total_cost: results.length, results });
  }
}
