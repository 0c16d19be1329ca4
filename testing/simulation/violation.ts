/** A violated invariant. Its message begins with the name of the rule. */
export class Violation extends Error {}
