/** Whether tests run in their long form, as in `npm run test:long`. `npm test` runs the short form. */
export const IS_LONG = process.env.LONG_TESTS === "1";
