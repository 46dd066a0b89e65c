/** Finds the media type of an answer: of those that an operation has, the one that its caller likes best. */
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import type { Operation } from '../../../../contract/operation.ts'
import { refuse } from '../errors/api-error.ts'

/** What everything is answered in unless something else is asked for. */
export const JSON_FORM = 'application/json'

/** By `Accept` (RFC 9110, 12.5.1), where there is a choice; JSON without it. Throws `not-acceptable`. */
export function formOf({ answer }: Pick<Operation, 'answer'>, headers: IncomingHttpHeaders): string {
  const others = Object.keys(answer.otherForms ?? {})
  if (others.length === 0) {
    return JSON_FORM
  }
  const forms = [JSON_FORM, ...others]
  const [best] = new Negotiator({ headers }).mediaTypes(forms)
  if (best === undefined) {
    throw refuse('not-acceptable', `This is answered as ${forms.join(', ')}; the header Accept allows none of them`)
  }
  return best
}
