/** Redacts what could be part of an account number or reference from an error message. */

/** Four digits, as the shortest clearing number; payment-slip card types, counts and length limits are shorter. */
const NUMBER = /\d(?:[ .-]?\d){3,}/g

/** Messages about payrolls end up in the logs of partners, so they must not repeat values. */
export function redactNumbers(reason: string): string {
  return reason.replace(NUMBER, '…')
}
