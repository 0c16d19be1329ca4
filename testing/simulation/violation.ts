/** Something that must never be. Its message begins with the name of the rule. */
export class Violation extends Error {}
