/** Creates a partner: the form, and the credentials, which are shown once. */
import { html } from 'ghtml'
import { type Credentials, createPartner } from '../../gateway/auth/create-partner.ts'
import type { Context } from '../../gateway/context.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { secretMarkup } from '../credentials/client-page.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { type ActionField, actionForm, executeAction, textsOf } from '../markup/action-form.ts'
import { type ActionOutcome, doneMarkup, noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export const CREATE_PARTNER_PATH = `${PARTNERS_PATH}/create`

export function createPartnerPage({ viewer, form }: ConsoleRequest, rejected?: ActionOutcome): ConsolePage {
  const button = consoleText('partners.create')
  const fields: readonly ActionField[] = [
    { name: 'name', label: consoleText('partners.name') },
    {
      name: 'callbackOrigins',
      label: consoleText('partner.callbackOrigins'),
      hint: consoleText('partner.originsHint'),
      type: 'textarea',
      isOptional: true,
    },
  ]
  const body = html`!${noticeMarkup(rejected)}<p>${consoleText('partners.createExplain')}</p>
!${actionForm({ path: CREATE_PARTNER_PATH, button, fields, token: viewer.token }, rejected && form)}`
  return { kind: 'page', status: rejected?.status ?? 200, title: button, body }
}

export async function createPartnerOfForm(context: Context, request: ConsoleRequest): Promise<ConsolePage> {
  const { viewer, form } = request
  const created: { id: string; credentials: Credentials }[] = []
  const rejected = await executeAction(async () => {
    const wanted = { name: form.text('name'), callbackOrigins: textsOf(form.text('callbackOrigins')) }
    const { partner, credentials } = await createPartner(context, actorOf(viewer.session), wanted)
    created.push({ id: partner.id, credentials })
  })
  const [partner] = created
  if (partner === undefined) {
    return createPartnerPage(request, rejected)
  }
  const body = html`!${doneMarkup(secretMarkup(partner.credentials))}
<p class="actions"><a class="button second" href="${PARTNERS_PATH}/${partner.id}">${consoleText('partners.open')}</a></p>`
  return { kind: 'page', title: consoleText('partners.isCreated'), body }
}
