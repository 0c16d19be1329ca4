/** The events of a schedule as text lines. Records them only if they will be read. */
export class Story {
  readonly #lines: string[] | null;
  readonly #clock: () => number;
  readonly #start: number;
  /** Short names for long IDs. */
  readonly #names = new Map<string, string>();

  /** @param isRecording whether to record lines @param clock epoch ms */
  constructor(isRecording: boolean, clock: () => number) {
    this.#lines = isRecording ? [] : null;
    this.#clock = clock;
    this.#start = clock();
  }

  /** Gives an ID a short name from now on. */
  name(id: string, name: string): void {
    if (this.#lines) this.#names.set(id, name);
  }

  readonly logStep = (line: () => string): void => {
    if (!this.#lines) return;
    const ms = this.#clock() - this.#start;
    const minutes = String(Math.floor(ms / 60_000)).padStart(3, " ");
    const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, "0");
    this.#lines.push(`${minutes}:${seconds}  ${line()}`);
  };

  lines(): string[] {
    const ids = [...this.#names.keys()];
    return (this.#lines ?? []).map((line) =>
      ids.reduce((text, id) => text.replaceAll(id, this.#names.get(id)!), line),
    );
  }
}
