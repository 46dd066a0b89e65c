/** Applies the user's decision on a request: identify as a test person, reject, or close the page. */
import { returnUrl } from './authorisation-endpoint.ts'
import type { AuthorisationRequest } from './grants.ts'
import type { ProviderState } from './provider-state.ts'
import { TEST_PERSONS, type TestPerson, typedPerson } from './test-persons.ts'

export const DECISIONS = ['sign', 'reject', 'leave'] as const
export type Decision = (typeof DECISIONS)[number]

/** The simulated person: one of the list, or one entered in the form. */
export type SimulatedPerson = {
  readonly userId?: string | undefined
  readonly given?: string | undefined
  readonly family?: string | undefined
  readonly birthDate?: string | undefined
  readonly nationalId?: string | undefined
  /** Separated by spaces. */
  readonly groups?: string | undefined
}

/** The redirect of the browser; null for none. `validationError` is a form error; the request remains open. */
export type DecisionResult =
  | { readonly redirect: string | null }
  | { readonly validationError: string; readonly request: AuthorisationRequest }
  | undefined

/** Undefined when no request has this name. */
export function decide(
  state: ProviderState,
  name: string,
  decision: Decision,
  played: SimulatedPerson,
): DecisionResult {
  const { grants } = state
  const request = grants.waiting(name)
  if (request === undefined) {
    // A button that is pressed twice shows the response to the second request: it is that of the first.
    const answer = grants.answerTo(name)
    return answer?.decision === decision ? answer : undefined
  }
  const end = (redirect: string | null) => {
    grants.end(name, { decision, redirect })
    return { redirect }
  }
  if (decision !== 'sign') {
    return end(decision === 'leave' ? null : returnUrl(state, request, { error: 'access_denied' }))
  }
  const person = personOf(request.eid.countryCode, played)
  if (typeof person === 'string') {
    return { validationError: person, request }
  }
  const groups = (played.groups ?? '').split(' ').filter((group) => group !== '')
  return end(returnUrl(state, request, { code: grants.grant(request, { ...person, groups }) }))
}

function personOf(countryCode: string, played: SimulatedPerson): TestPerson | string {
  const { userId, given = '', family = '', birthDate = '', nationalId } = played
  if (given.trim() === '' && family.trim() === '') {
    return TEST_PERSONS.find(({ id }) => id === userId) ?? 'Select a person, or enter a name.'
  }
  // Some persons have one name.
  if (family.trim() === '' || !isDay(birthDate)) {
    return 'An entered person needs a family name and a birth date.'
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
