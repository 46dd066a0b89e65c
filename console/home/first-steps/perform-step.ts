/** Does a first step for the user: sends the requests that the page shows as commands. */

import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import type { Context } from '../../../gateway/context.ts'
import { REPORTING_TIME_ZONE } from '../../../gateway/countries/bank-days.ts'
import { apiError } from '../../../gateway/platform/http/errors/api-error.ts'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { findDemoPartner } from '../../../gateway/simulation/demo-fixture.ts'
import { openInbox } from '../../../gateway/webhooks/inbox/inbox.ts'
import { consoleText } from '../../texts/console-texts.ts'
import type { ApiRequest, CallApi } from './call-api.ts'
import type { FirstStepsState } from './find-first-steps.ts'
import { type RequestedStep, type RequestValues, requestsOf, tokenRequest } from './step-requests.ts'

/** Unknown secrets are left to the reader. */
const SECRET_PLACEHOLDER = '<client_secret>'

/** What the requests of the partner contain. Only the secret of the demo partner is known. */
export async function stepContextOf(
  context: Context,
  partnerId: string,
  state: FirstStepsState,
): Promise<RequestValues & { readonly isDemo: boolean }> {
  const isDemo = (await findDemoPartner(context))?.id === partnerId
  const { config, clock } = context
  return {
    ...state,
    isDemo,
    clientId: isDemo ? demoCredentials.clientId : '<client_id>',
    clientSecret: isDemo ? demoCredentials.clientSecret : SECRET_PLACEHOLDER,
    baseUrl: config.baseUrl,
    today: clock.today(REPORTING_TIME_ZONE).toString(),
    endToEndId: `TOUR-${newId().slice(-12)}`,
    inboxUrl: config.sandboxInboxUrl === null ? null : await openInbox(context, partnerId),
  }
}

/** Throws `conflict` with the API's own message when a request is rejected. */
export async function performStep(callApi: CallApi, step: RequestedStep, values: RequestValues): Promise<void> {
  const token = await send(callApi, tokenRequest(values))
  if (step === 'token') {
    return
  }
  let id = ''
  for (const request of requestsOf(step, values)) {
    const path = request.path.replace('$ID', id)
    const headers = { ...request.headers, authorization: `Bearer ${textIn(token, 'access_token')}` }
    id = textIn(await send(callApi, { ...request, path, headers }), 'id')
  }
}

async function send(callApi: CallApi, request: ApiRequest): Promise<unknown> {
  const { status, body } = await callApi(request)
  if (status >= 400) {
    const message = textIn(body, 'message') || textIn(body, 'error_description') || JSON.stringify(body)
    throw apiError('conflict', consoleText('firstSteps.rejected', { path: request.path, status, message }))
  }
  return body
}

function textIn(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' && (name !== 'id' || isId(value)) ? value : ''
}
