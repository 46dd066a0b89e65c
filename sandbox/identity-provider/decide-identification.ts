/** Applies the user's decision on a request: identify as a test person, reject, or close the page. */
import { type Static, Type } from 'typebox'
import { returnUrl } from './authorisation-endpoint.ts'
import type { AuthorisationRequest } from './grants.ts'
import type { ProviderState } from './provider-state.ts'
import { TEST_PERSONS, type TestPerson, typedPerson } from './test-persons.ts'

const DECISIONS = ['sign', 'reject', 'leave'] as const

const Line = Type.Optional(Type.String({ maxLength: 200 }))
/** The form: the decision, and the simulated person, one of the list or one entered. */
export const FORM_FIELDS = {
  decision: Type.Enum([...DECISIONS]),
  userId: Line,
  given: Line,
  family: Line,
  birthDate: Line,
  nationalId: Line,
  /** Separated by spaces. */
  groups: Line,
}
export const Form = Type.Object(FORM_FIELDS)
export type Form = Static<typeof Form>

/** The redirect of the browser; null for none. `validationError` is a form error; the request remains open. */
export type DecisionResult =
  | { readonly redirect: string | null }
  | { readonly validationError: string; readonly request: AuthorisationRequest }
  | undefined

/** Undefined when no request has this name. */
export function decide(state: ProviderState, name: string, { decision, ...played }: Form): DecisionResult {
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

function personOf(countryCode: string, played: Omit<Form, 'decision'>): TestPerson | string {
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
