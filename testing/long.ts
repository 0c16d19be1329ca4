/** Whether tests run in their long form, as `npm run test:long` does. `npm test` runs the short form. */
export const IS_LONG = process.env.LONG_TESTS === "1";
