/** Takes out of a reason what could be a part of somebody's account number or reference. */

/** Card types of forms, counts and limits of lengths are shorter; the shortest clearing number has four digits. */
const NUMBER = /\d(?:[ .-]?\d){3,}/g

/** Reasons on payrolls tell what is wrong and not with what: they end up in other people's logs. */
export function withoutNumbers(reason: string): string {
  return reason.replace(NUMBER, '…')
}
