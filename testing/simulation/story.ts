/** What happened in a schedule, in lines to read: kept only when somebody is going to read them. */
export class Story {
  readonly #lines: string[] | null;
  readonly #clock: () => number;
  readonly #start: number;
  /** Long ids, and what they are called. */
  readonly #names = new Map<string, string>();

  /** @param keepsStory whether lines are kept. @param clock epoch ms */
  constructor(keepsStory: boolean, clock: () => number) {
    this.#lines = keepsStory ? [] : null;
    this.#clock = clock;
    this.#start = clock();
  }

  /** Calls something by a name from here on. */
  name(id: string, name: string): void {
    if (this.#lines) this.#names.set(id, name);
  }

  readonly tell = (line: () => string): void => {
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
