/** Accepts a debtor account that fails our own check but is shown by the bank on the consent. */
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

/** Returns the remaining errors of the rules. The accounts of the consent are read only if the number was rejected. */
export async function acceptAccountOfConsent(
  errors: readonly ValidationError[],
  isOnConsent: () => Promise<boolean>,
): Promise<readonly ValidationError[]> {
  const others = errors.filter(({ code }) => code !== 'InvalidBBAN')
  return others.length < errors.length && (await isOnConsent()) ? others : errors
}
