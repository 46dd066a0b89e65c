/** The first steps of a developer: done by a click, and ticked off live. */
import { writeAuditEntry } from '../../../gateway/operators/audit-log.ts'
import { apiError } from '../../../gateway/platform/http/errors/api-error.ts'
import { actorOf } from '../../access/console-session.ts'
import type { ConsoleContext } from '../../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../../console-route.ts'
import type { ConsoleAnswer } from '../../layout/console-page.ts'
import type { VersionReader } from '../../live/live-versions.ts'
import { consoleText } from '../../texts/console-texts.ts'
import { FIRST_STEPS, findFirstSteps } from './find-first-steps.ts'
import { FIRST_STEPS_PATH, firstStepsList, firstStepsPartner } from './first-steps.ts'
import { performStep, stepContextOf } from './perform-step.ts'

/** Empty in production. */
export function firstStepsRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  if (context.config.mode !== 'sandbox') {
    return []
  }
  const reader: VersionReader = async (partnerIds) =>
    new Map(
      await Promise.all(partnerIds.map(async (id) => [id, JSON.stringify(await findFirstSteps(context, id))] as const)),
    )
  return [
    post('sandbox')(FIRST_STEPS_PATH, (request) => perform(context, request)),
    get('developer.read', { isLive: true })(`${FIRST_STEPS_PATH}/:partnerId/live`, async ({ viewer, params }) => {
      const partnerId = firstStepsPartner(viewer)
      if (partnerId === null || partnerId !== params['partnerId']) {
        throw apiError('not-found', 'There is no partner with this id')
      }
      const render = () => firstStepsList(context, viewer, partnerId)
      return { kind: 'live', part: { reader, subject: partnerId, render } }
    }),
  ]
}

/** A step whose requests need what is not there yet is rejected by the API, with its reason. */
async function perform(context: ConsoleContext, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
  const partnerId = firstStepsPartner(viewer)
  const step = FIRST_STEPS.find((one) => one === form.text('step'))
  if (partnerId === null || step === undefined || step === 'delivered') {
    throw apiError('bad-request', consoleText('firstSteps.noStep'))
  }
  const state = await findFirstSteps(context, partnerId)
  const { isDemo, ...requests } = await stepContextOf(context, partnerId, state)
  if (!isDemo) {
    throw apiError('bad-request', consoleText('firstSteps.noSecret'))
  }
  await performStep(context.callApi, step, requests)
  const subject = ['partner', partnerId] as const
  const entry = {
    partnerId,
    actor: actorOf(viewer.session),
    action: 'first step done' as const,
    subject,
    detail: { step },
  }
  await writeAuditEntry(context, entry)
  return { kind: 'redirect', to: '/console#first-steps' }
}
