/** Takes what somebody decides on a request: to sign as a person, to refuse, or to leave without a word. */
import { returnAddress } from './authorisation-endpoint.ts'
import type { ProviderState } from './provider-state.ts'
import { PEOPLE, type Somebody, typedPerson } from './test-persons.ts'

export const DECISIONS = ['sign', 'reject', 'leave'] as const
export type Decision = (typeof DECISIONS)[number]

/** Whom somebody plays: a person of the list, or one that is typed. */
export type Played = {
  readonly userId?: string | undefined
  readonly given?: string | undefined
  readonly family?: string | undefined
  readonly birthDate?: string | undefined
  readonly nationalId?: string | undefined
}

/** Where the browser goes; null when it goes nowhere. `problem` says what is missing, and the request goes on waiting. */
export type Decided = { readonly redirect: string | null } | { readonly problem: string } | undefined

/** Undefined when nothing waits under this name. */
export function decide(state: ProviderState, name: string, decision: Decision, played: Played): Decided {
  const request = state.grants.waiting(name)
  if (request === undefined) {
    return undefined
  }
  if (decision === 'leave') {
    state.grants.end(name)
    return { redirect: null }
  }
  if (decision === 'reject') {
    state.grants.end(name)
    return { redirect: returnAddress(state, request, { error: 'access_denied' }) }
  }
  const person = personOf(request.eid.countryCode, played)
  if (typeof person === 'string') {
    return { problem: person }
  }
  const code = state.grants.grant(name, person)
  return code === undefined ? undefined : { redirect: returnAddress(state, request, { code }) }
}

function personOf(countryCode: string, played: Played): Somebody | string {
  const { userId, given = '', family = '', birthDate = '', nationalId } = played
  if (given.trim() === '' && family.trim() === '') {
    return PEOPLE.find(({ id }) => id === userId) ?? 'Choose a person, or type a name.'
  }
  if (given.trim() === '' || family.trim() === '' || !isDay(birthDate)) {
    return 'A typed person needs a given name, a family name and a birth date.'
  }
  return typedPerson(countryCode, {
    name: { given: given.trim(), family: family.trim() },
    birthDate,
    nationalId: nationalId?.trim() || null,
  })
}

function isDay(text: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && Temporal.PlainDate.from(text).year > 0
  } catch {
    return false
  }
}
