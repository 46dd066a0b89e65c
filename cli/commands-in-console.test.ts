/** Compares the operators' commands with the console: each has a page or an action there, or a reason for having none. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { startTestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { addOperatorCommands } from './commands/operator-commands.ts'

/** The route that shows or does the same. */
const IN_CONSOLE: Readonly<Record<string, string>> = {
  'partner list': 'GET /console/partners',
  'client create': 'POST /console/credentials',
  'client rotate': 'POST /console/credentials/:clientId/rotate',
  'client revoke-former': 'POST /console/credentials/:clientId/revoke-former',
  'client disable': 'POST /console/credentials/:clientId/disable',
  'company list': 'GET /console/partners/:partnerId',
  'company show': 'GET /console/partners/:partnerId/companies/:companyNumber',
  'company subscription': 'POST /console/partners/:partnerId/companies/:companyNumber/subscription',
  'company international': 'POST /console/partners/:partnerId/companies/:companyNumber/international',
  'agreement list': 'GET /console/partners/:partnerId',
  'consent expiring': 'GET /console/consents/expiring',
  'onboarding list': 'GET /console/onboardings',
  'onboarding show': 'GET /console/onboardings/:onboardingId',
  'onboarding accept': 'POST /console/onboardings/:onboardingId/accept',
  'onboarding reject': 'POST /console/onboardings/:onboardingId/reject',
  'onboarding ask-for-documents': 'POST /console/onboardings/:onboardingId/ask-for-documents',
  'onboarding save-documents': 'GET /console/onboardings/:onboardingId/documents/:documentId',
  'onboarding cancel': 'POST /console/onboardings/:onboardingId/cancel',
  'onboarding revoke-link': 'POST /console/onboardings/:onboardingId/revoke-link',
  'bank list': 'GET /console/banks',
  'payroll list': 'GET /console/payrolls',
  'payroll show': 'GET /console/payrolls/:payrollId',
  'tasks list': 'GET /console/tasks',
  'tasks show': 'GET /console/tasks/:taskId',
  'tasks resolve': 'POST /console/tasks/:taskId/resolve',
  'deal list': 'GET /console/deals',
  'deal show': 'GET /console/deals/:dealId',
  'deal break': 'POST /console/deals/:dealId/break',
  'deal refunded': 'POST /console/deals/:dealId/refunded',
  'deal send-back': 'POST /console/deals/funds/:receiptId/send-back',
  'deal keep': 'POST /console/deals/funds/:receiptId/keep',
  'ledger check': 'POST /console/ledger/check',
  'webhooks list': 'GET /console/webhooks',
  'webhooks deliveries': 'GET /console/webhooks/:subscriptionId',
  'console invite': 'POST /console/users/invite',
  'console users': 'GET /console/users',
  'console disable': 'POST /console/users/:userId/disable',
  'certificates show': 'GET /console/banks',
}

const NOT_YET = {
  partner: 'not built yet: the console only shows partners',
  company: 'not built yet: the console neither adds nor renames companies',
  agreement: 'not built yet: the console only shows agreements',
} as const
const OWN_FILES = 'works on files of the machine that it runs on'

/** What the console lacks, and why. */
const NOT_IN_CONSOLE: Readonly<Record<string, string>> = {
  'partner create': NOT_YET.partner,
  'partner agreement': NOT_YET.partner,
  'partner callback-origins': NOT_YET.partner,
  'partner disable': NOT_YET.partner,
  'client payroll': NOT_YET.partner,
  'company add': NOT_YET.company,
  'company onboard': NOT_YET.company,
  'company rename': NOT_YET.company,
  'agreement create': NOT_YET.agreement,
  'agreement end': NOT_YET.agreement,
  'bank put': 'decides where customers’ orders are sent: whoever may do that has access to the installation',
  'bank check-profile': OWN_FILES,
  'bank probe': 'is for setting up a bank, with files of the machine that it runs on',
  'provider check': 'is for setting up the provider, with the settings of the machine that it runs on',
  'deal retry': 'not built yet: the worker retries by itself, after some time',
  'webhooks replay': 'not built yet: the console repeats one delivery at a time',
  'certificates create': OWN_FILES,
  'certificates issue-server': OWN_FILES,
  'keys create': OWN_FILES,
  'keys rotate': OWN_FILES,
  'keys reseal': OWN_FILES,
  'keys rotate-token': 'affects every token: whoever may do that has access to the installation',
  'keys disable-token': 'affects every token: whoever may do that has access to the installation',
}

const namesOf = (command: Command, words: readonly string[] = []): readonly string[] =>
  command.commands.length === 0
    ? [words.join(' ')]
    : command.commands.flatMap((part) => namesOf(part, [...words, part.name()]))

test('every command of operators is in the console, or has a reason for not being there', () => {
  const program = new Command('havn')
  addOperatorCommands(program)
  const compared = [...Object.keys(IN_CONSOLE), ...Object.keys(NOT_IN_CONSOLE)]
  expect(compared.toSorted()).toEqual(namesOf(program).toSorted())
})

test('every named page and action of the console exists', async () => {
  const gateway = await startTestGateway()
  const routes = routesOfConsole(gateway).map(({ method, path }) => `${method} ${path}`)
  await gateway.close()
  expect(Object.values(IN_CONSOLE).filter((route) => !routes.includes(route))).toEqual([])
})
