/** Partners for operators: their credentials, agreements and companies. */
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { addAgreementOfForm, addAgreementPage } from './add-agreement-page.ts'
import { addCompanyOfForm, addCompanyPage } from './add-company-page.ts'
import { COMPANY_CHANGES, COMPANY_SWITCHES, changeCompanyOfForm, companyPage, switchCompany } from './company-page.ts'
import { CREATE_PARTNER_PATH, createPartnerOfForm, createPartnerPage } from './create-partner-page.ts'
import { partnerActionRoutes } from './partner-actions.ts'
import { partnerPage, partnersPage } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export function partnerRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  // Nearly every change of a partner or its companies grants a right, and operators who are no administrators grant none.
  const act = { permission: 'administrate' } as const
  const create = { path: CREATE_PARTNER_PATH, ...act } as const
  const one = `${PARTNERS_PATH}/:partnerId`
  return [
    { ...read, path: PARTNERS_PATH, handle: (request) => partnersPage(context, request) },
    { method: 'GET', ...create, handle: async (request) => createPartnerPage(request) },
    { method: 'POST', ...create, handle: (request) => createPartnerOfForm(context, request) },
    { ...read, path: one, handle: (request) => partnerPage(context, request) },
    { ...read, path: `${one}/companies/:companyNumber`, handle: (request) => companyPage(context, request) },
    { method: 'GET', ...act, path: `${one}/add-company`, handle: (request) => addCompanyPage(context, request) },
    { method: 'POST', ...act, path: `${one}/add-company`, handle: (request) => addCompanyOfForm(context, request) },
    { method: 'GET', ...act, path: `${one}/add-agreement`, handle: (request) => addAgreementPage(context, request) },
    { method: 'POST', ...act, path: `${one}/add-agreement`, handle: (request) => addAgreementOfForm(context, request) },
    ...partnerActionRoutes(context),
    ...COMPANY_CHANGES.map(
      (what): ConsoleRoute => ({
        method: 'POST',
        ...act,
        path: `${one}/companies/:companyNumber/${what}`,
        handle: (request) => changeCompanyOfForm(context, request, what),
      }),
    ),
    ...COMPANY_SWITCHES.map(
      (what): ConsoleRoute => ({
        method: 'POST',
        ...act,
        path: `${one}/companies/:companyNumber/${what}`,
        handle: (request) => switchCompany(context, request, what),
      }),
    ),
  ]
}
