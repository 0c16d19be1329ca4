/** The events of a schedule as text lines. Recorded only when they will be read. */
export class Story {
  readonly #lines: string[] | null;
  readonly #clock: () => number;
  readonly #start: number;
  /** Short names of long ids. */
  readonly #names = new Map<string, string>();

  /** @param keepsStory whether lines are kept. @param clock epoch ms */
  constructor(keepsStory: boolean, clock: () => number) {
    this.#lines = keepsStory ? [] : null;
    this.#clock = clock;
    this.#start = clock();
  }

  /** Names an id from here on. */
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
