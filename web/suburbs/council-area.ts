/** Returns a council's area, such as "Byron Shire" for "Byron Shire Council". */
export function getAreaName(council: string): string {
  return council.startsWith("City of ") ? `the ${council}` : council.replace(/ Shire Council$/, " Shire");
}
