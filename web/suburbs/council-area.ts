/** Returns the area that a council looks after: "Byron Shire Council" is "Byron Shire". */
export function areaOf(council: string): string {
  return council.startsWith("City of ") ? `the ${council}` : council.replace(/ Shire Council$/, " Shire");
}
