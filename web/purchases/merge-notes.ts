/** Above this many comparisons the texts are not matched line by line. The merge then contains both in full. */
const MAX_COMPARISONS = 250_000;

/** Returns, for each line of `base`, its index in `other`; -1 where it was removed. */
function matchLines(base: readonly string[], other: readonly string[]): number[] {
  const places = Array.from({ length: base.length }, () => -1);
  let start = 0;
  while (start < base.length && start < other.length && base[start] === other[start]) {
    places[start] = start;
    start += 1;
  }
  let [baseEnd, otherEnd] = [base.length, other.length];
  while (baseEnd > start && otherEnd > start && base[baseEnd - 1] === other[otherEnd - 1]) {
    places[--baseEnd] = --otherEnd;
  }
  const [rows, columns] = [baseEnd - start, otherEnd - start];
  if (rows * columns === 0 || rows * columns > MAX_COMPARISONS) return places;
  // `common[row][column]` is the length of the longest common subsequence from that position on.
  const lcsLengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const isSame = base[start + row] === other[start + column];
      const [below, right] = [lcsLengths[row + 1]![column]!, lcsLengths[row]![column + 1]!];
      lcsLengths[row]![column] = isSame ? lcsLengths[row + 1]![column + 1]! + 1 : Math.max(below, right);
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (base[start + row] === other[start + column]) places[start + row++] = start + column++;
    else if (lcsLengths[row + 1]![column]! >= lcsLengths[row]![column + 1]!) row += 1;
    else column += 1;
  }
  return places;
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);

/** Merges one region. Returns the changed side, or both sides if both changed. */
function mergeRegion(base: readonly string[], theirs: readonly string[], mine: readonly string[]) {
  if (isSame(theirs, base) || isSame(theirs, mine)) return mine;
  if (isSame(mine, base)) return theirs;
  // An empty line separates the two notes.
  return theirs.length > 0 && mine.length > 0 ? [...theirs, "", ...mine] : [...theirs, ...mine];
}

/**
 * Merges two texts line by line. Where only one side changed, its version is used. Where both changed, both versions
 * are included, the other user's first.
 * @param base their common ancestor
 */
export function mergeNotes(base: string, theirs: string, mine: string): string {
  const [baseLines, theirLines, myLines] = [base, theirs, mine].map((text) =>
    text === "" ? [] : text.split("\n"),
  ) as [string[], string[], string[]];
  const inTheirs = matchLines(baseLines, theirLines);
  const inMine = matchLines(baseLines, myLines);
  const merged: string[] = [];
  let [baseFrom, theirFrom, myFrom] = [0, 0, 0];
  for (let line = 0; line <= baseLines.length; line += 1) {
    const isEnd = line === baseLines.length;
    const theirTo = isEnd ? theirLines.length : inTheirs[line]!;
    const myTo = isEnd ? myLines.length : inMine[line]!;
    if (theirTo < 0 || myTo < 0) continue;
    merged.push(
      ...mergeRegion(
        baseLines.slice(baseFrom, line),
        theirLines.slice(theirFrom, theirTo),
        myLines.slice(myFrom, myTo),
      ),
    );
    if (!isEnd) merged.push(baseLines[line]!);
    [baseFrom, theirFrom, myFrom] = [line + 1, theirTo + 1, myTo + 1];
  }
  return merged.join("\n");
}
