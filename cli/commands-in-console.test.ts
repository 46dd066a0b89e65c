/** Compares the operators' commands with the console: each has a page or an action there, or a reason for having none. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { startTestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { COMMANDS, type CommandEntry } from './command-table.ts'
import { permissionOfCommand } from './operator/command-permissions.ts'

/** The route that shows or does the same. */
const IN_CONSOLE: Readonly<Record<string, string>> = {
  'partner list': 'GET /console/partners',
  'client create': 'POST /console/credentials',
  'client rotate': 'POST /console/credentials/:clientId/rotate',
  'client revoke-former': 'POST /console/credentials/:clientId/revoke-former',
  'client disable': 'POST /console/credentials/:clientId/disable',
  'partner create': 'POST /console/partners/create',
  'partner agreement': 'POST /console/partners/:partnerId/permissions',
  'partner callback-origins': 'POST /console/partners/:partnerId/callback-origins',
  'partner disable': 'POST /console/partners/:partnerId/disable',
  'client payroll': 'POST /console/partners/:partnerId/clients/:clientId/payroll',
  'company add': 'POST /console/partners/:partnerId/add-company',
  'company onboard': 'POST /console/partners/:partnerId/companies/:companyNumber/onboard',
  'company rename': 'POST /console/partners/:partnerId/companies/:companyNumber/rename',
  'agreement create': 'POST /console/partners/:partnerId/add-agreement',
  'agreement end': 'POST /console/partners/:partnerId/agreements/:agreementId/end',
  'deal retry': 'POST /console/deals/:dealId/retry',
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
  'data-set show': 'GET /console/sandbox/data-sets',
  'data-set load': 'POST /console/sandbox/data-sets',
  'payroll list': 'GET /console/payrolls',
  'payroll show': 'GET /console/payrolls/:payrollId',
  'tasks list': 'GET /console/tasks',
  'tasks show': 'GET /console/tasks/:taskId',
  'tasks resolve': 'POST /console/tasks/:taskId/resolve',
  'deal list': 'GET /console/deals',
  'deal show': 'GET /console/deals/:dealId',
  'deal cancel': 'POST /console/deals/:dealId/cancel',
  'deal refunded': 'POST /console/deals/:dealId/refunded',
  'deal send-back': 'POST /console/deals/funds/:receiptId/send-back',
  'deal keep': 'POST /console/deals/funds/:receiptId/keep',
  reconcile: 'POST /console/reconciliation/run',
  'ledger check': 'POST /console/ledger/check',
  'webhooks list': 'GET /console/webhooks',
  'webhooks deliveries': 'GET /console/webhooks/:subscriptionId',
  'webhooks replay': 'POST /console/webhooks/:subscriptionId/replay',
  'console invite': 'POST /console/users/invite',
  'console users': 'GET /console/users',
  'console sessions': 'GET /console/users/sessions',
  'console end-sessions': 'POST /console/users/sessions/:sessionId/end-all',
  'console disable': 'POST /console/users/:userId/disable',
  'certificates show': 'GET /console/banks',
}

const OWN_FILES = 'works on files of the machine that it runs on'

/** What the console lacks, and why. */
const NOT_IN_CONSOLE: Readonly<Record<string, string>> = {
  'after-restore': 'comes before a gateway, and with it the console, uses the database',
  'bank put': 'decides where customers’ orders are sent: whoever may do that has access to the installation',
  'bank check-profile': OWN_FILES,
  'bank probe': 'is for setting up a bank, with files of the machine that it runs on',
  'provider check': 'is for setting up the provider, with the settings of the machine that it runs on',
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

const commandsOf = (commands: Readonly<Record<string, CommandEntry>>) => Object.entries(commands)

test('every command of operators is in the console, or has a reason for not being there', async () => {
  const names: string[] = []
  for (const [name, { declareForOperators }] of Object.values(COMMANDS).flatMap(commandsOf)) {
    const command = new Command(name)
    ;(await declareForOperators?.())?.(command)
    names.push(...(declareForOperators === undefined ? [] : namesOf(command, [name])))
  }
  const compared = [...Object.keys(IN_CONSOLE), ...Object.keys(NOT_IN_CONSOLE)]
  expect(compared.toSorted()).toEqual(names.toSorted())
})

test('an operator is permitted a command as its page or action in the console', async () => {
  const gateway = await startTestGateway()
  const routes = new Map(
    routesOfConsole(gateway).map(({ method, path, permission }) => [`${method} ${path}`, permission]),
  )
  await gateway.close()
  for (const [command, route] of Object.entries(IN_CONSOLE)) {
    expect(permissionOfCommand(command), command).toBe(routes.get(route))
  }
  for (const command of Object.keys(NOT_IN_CONSOLE)) {
    expect(permissionOfCommand(command), command).toBe('administrate')
  }
})

test('every named page and action of the console exists', async () => {
  const gateway = await startTestGateway()
  const routes = routesOfConsole(gateway).map(({ method, path }) => `${method} ${path}`)
  await gateway.close()
  expect(Object.values(IN_CONSOLE).filter((route) => !routes.includes(route))).toEqual([])
})
