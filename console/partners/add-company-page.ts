/** Adds a company to a partner that the operator has checked by other means than the hosted onboarding. */
import { html } from 'ghtml'
import { addCompany } from '../../gateway/companies/add-company.ts'
import type { Context } from '../../gateway/context.ts'
import { SERVED_COUNTRIES } from '../../gateway/countries/served-countries.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { type ActionField, actionForm, executeAction } from '../markup/action-form.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { requirePartnerInPath } from './partner-page.ts'
import { companyPath, PARTNERS_PATH } from './partners-path.ts'

export const countryField = (): ActionField => ({
  name: 'country',
  label: consoleText('companies.country'),
  choices: SERVED_COUNTRIES.map((code) => ({ value: code, label: code })),
})

export async function addCompanyPage(
  context: Context,
  { viewer, params, form }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const { partner } = await requirePartnerInPath(context, params)
  const path = `${PARTNERS_PATH}/${partner.id}/add-company`
  const button = consoleText('companies.add')
  const fields: readonly ActionField[] = [
    countryField(),
    { name: 'number', label: consoleText('companies.number') },
    { name: 'name', label: consoleText('companies.name'), hint: consoleText('companies.nameHint') },
    { name: 'informationOnly', label: consoleText('companies.addInformationOnly'), type: 'checkbox' },
  ]
  const body = html`!${noticeMarkup(rejected)}<p>${consoleText('companies.addExplain')}</p>
!${actionForm({ path, button, fields, token: viewer.token }, rejected && form)}`
  const title = consoleText('companies.addTo', { name: partner.name })
  return { kind: 'page', status: rejected?.status ?? 200, title, body }
}

export async function addCompanyOfForm(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, params, form } = request
  const { partner } = await requirePartnerInPath(context, params)
  const number = { countryCode: form.text('country'), organisationNumber: form.text('number') }
  const added: string[] = []
  const rejected = await executeAction(async () => {
    if (!SERVED_COUNTRIES.includes(number.countryCode)) {
      throw apiError('bad-request', consoleText('companies.noCountry'))
    }
    const accountInformationOnly = form.text('informationOnly') === 'yes'
    const wanted = { partnerId: partner.id, ...number, name: form.text('name'), accountInformationOnly }
    added.push(companyPath(await addCompany(context, actorOf(viewer.session), wanted)))
  })
  const [to] = added
  return to === undefined ? await addCompanyPage(context, request, rejected) : { kind: 'redirect', to }
}
