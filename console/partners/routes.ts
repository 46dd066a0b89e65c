/** Partners for operators: their credentials, agreements and companies. */
import type { Context } from '../../gateway/context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { addAgreementOfForm, addAgreementPage } from './add-agreement-page.ts'
import { addCompanyOfForm, addCompanyPage } from './add-company-page.ts'
import { COMPANY_CHANGES, COMPANY_SWITCHES, changeCompanyOfForm, companyPage, switchCompany } from './company-page.ts'
import { CREATE_PARTNER_PATH, createPartnerOfForm, createPartnerPage } from './create-partner-page.ts'
import { partnerActionRoutes } from './partner-actions.ts'
import { partnerPage, partnersPage } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export function partnerRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('operations.read')
  // Nearly every change of a partner or its companies grants a right, and operators who are no administrators grant none.
  const form = get('administrate')
  const act = post('administrate')
  const one = `${PARTNERS_PATH}/:partnerId`
  return [
    read(PARTNERS_PATH, (request) => partnersPage(context, request)),
    form(CREATE_PARTNER_PATH, async (request) => createPartnerPage(request)),
    act(CREATE_PARTNER_PATH, (request) => createPartnerOfForm(context, request)),
    read(one, (request) => partnerPage(context, request)),
    read(`${one}/companies/:companyNumber`, (request) => companyPage(context, request)),
    form(`${one}/add-company`, (request) => addCompanyPage(context, request)),
    act(`${one}/add-company`, (request) => addCompanyOfForm(context, request)),
    form(`${one}/add-agreement`, (request) => addAgreementPage(context, request)),
    act(`${one}/add-agreement`, (request) => addAgreementOfForm(context, request)),
    ...partnerActionRoutes(context),
    ...COMPANY_CHANGES.map((what) =>
      act(`${one}/companies/:companyNumber/${what}`, (request) => changeCompanyOfForm(context, request, what)),
    ),
    ...COMPANY_SWITCHES.map((what) =>
      act(`${one}/companies/:companyNumber/${what}`, (request) => switchCompany(context, request, what)),
    ),
  ]
}
