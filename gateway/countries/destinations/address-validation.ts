/** Judges the address of a receiver abroad: the members that its bank asks for, and the form of its post code. */
import type { CountryRequirements } from './country-requirements.ts'
import { type Destination, type Findings, NOTHING_FOUND, together, wrong } from './destination.ts'

/** What people and forms put before a post code: `SE-111 20`, `DK 2100`. */
const COUNTRY_BEFORE = /^([A-Z]{1,2})[- ](?=[0-9])/

/** The bank decides what it needs to know; how a post code looks is up to the country where the receiver is. */
export function judgeAddress(
  { address }: Destination,
  { address: required, name }: CountryRequirements,
  { country, postCode, name: receiverCountry }: CountryRequirements,
): Findings {
  const missing = required
    .filter((member) => isBlank(address[member]))
    .map((member) =>
      wrong({
        part: `address.${member}`,
        fault: { kind: 'address-missing', member },
        reason: `is missing: banks in ${name} ask for it`,
      }),
    )
  const told = address.postCode
  const malformed =
    told === undefined || isBlank(told) || postCode === undefined || isPostCode(told, country, postCode.pattern)
      ? NOTHING_FOUND
      : wrong({
          part: 'address.postCode',
          fault: { kind: 'address-malformed', member: 'postCode' },
          reason: `is not a post code of ${receiverCountry}, as in ${postCode.example}`,
        })
  return together([...missing, malformed])
}

function isPostCode(told: string, country: string, pattern: string): boolean {
  const text = told.trim().toUpperCase()
  const expression = new RegExp(pattern)
  const [before, letters] = COUNTRY_BEFORE.exec(text) ?? []
  return (
    expression.test(text) ||
    (before !== undefined &&
      letters !== undefined &&
      country.startsWith(letters) &&
      expression.test(text.slice(before.length)))
  )
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}
