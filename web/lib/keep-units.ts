/** Returns a text with no line break between a number and its unit. */
export const keepUnits = (text: string) => text.replaceAll(/(\d) (°C|km|mm)\b/g, "$1\u00A0$2");
