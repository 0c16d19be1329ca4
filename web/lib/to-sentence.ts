/** Converts a key such as "lead.withdrawn" or "nextActionAt" to text: "Lead withdrawn", "Next action at". */
export function toSentence(key: string): string {
  const words = key
    .replaceAll(/[._]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
