/** Registers the agreement of a partner's company with its bank about payment files. */
import { html } from 'ghtml'
import { registerAgreement } from '../../gateway/consents/agreements/agreement.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { parseDay } from '../lists/filter-reader.ts'
import { type ActionField, actionForm, executeAction, textsOf } from '../markup/action-form.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { countryField } from './add-company-page.ts'
import { requirePartnerInPath } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export async function addAgreementPage(
  context: Context,
  { viewer, params, form }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const { partner } = await requirePartnerInPath(context, params)
  const path = `${PARTNERS_PATH}/${partner.id}/add-agreement`
  const fields = await fieldsOf(context)
  const button = consoleText('agreements.add')
  const body = html`!${noticeMarkup(rejected)}<p>${consoleText('agreements.explain')}</p>
!${actionForm({ path, button, token: viewer.token, fields }, rejected && form)}`
  const title = consoleText('agreements.addTo', { name: partner.name })
  return { kind: 'page', status: rejected?.status ?? 200, title, body }
}

/** Only banks that accept files are offered. */
async function fieldsOf({ banks }: Context): Promise<readonly ActionField[]> {
  const accepting = (await banks.all()).filter((bank) => banks.connectorOf(bank).files !== undefined)
  const text = (name: string, label: string, hint?: string): ActionField => ({
    name,
    label,
    ...(hint === undefined ? {} : { hint }),
  })
  return [
    {
      name: 'bank',
      label: consoleText('agreements.bank'),
      choices: accepting.map(({ bic, name }) => ({ value: bic, label: `${name} (${bic})` })),
    },
    countryField(),
    text('company', consoleText('companies.number')),
    text('number', consoleText('agreements.number'), consoleText('agreements.numberHint')),
    {
      ...text('accounts', consoleText('agreements.accounts'), consoleText('agreements.accountsHint')),
      type: 'textarea',
    },
    {
      ...text('until', consoleText('agreements.until'), consoleText('agreements.untilHint')),
      type: 'date',
      isOptional: true,
    },
  ]
}

export async function addAgreementOfForm(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, params, form } = request
  const { partner } = await requirePartnerInPath(context, params)
  const rejected = await executeAction(async () => {
    const until = lastDayOf(form)
    await registerAgreement(context, actorOf(viewer.session), {
      partnerId: partner.id,
      bic: form.text('bank'),
      countryCode: form.text('country'),
      organisationNumber: form.text('company'),
      number: form.text('number'),
      accounts: textsOf(form.text('accounts')),
      ...(until === undefined ? {} : { until }),
    })
  })
  return rejected === undefined
    ? { kind: 'redirect', to: `${PARTNERS_PATH}/${partner.id}` }
    : await addAgreementPage(context, request, rejected)
}

function lastDayOf(form: Form): Temporal.PlainDate | undefined {
  const text = form.text('until')
  const day = parseDay(text)
  if (text !== '' && day === undefined) {
    throw apiError('bad-request', consoleText('agreements.noDay'))
  }
  return day
}
