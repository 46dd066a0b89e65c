/** Lists the commands of `havn` by who uses them, each with its summary; its declaration is loaded when it is needed. */
import type { Command } from 'commander'

/** Adds arguments, options, an action or subcommands to a command that has its name and summary. */
export type Declare = (command: Command) => void

export type CommandEntry = {
  readonly summary: string
  /** For whom access to the machine, or a partner's credentials, are enough. */
  readonly declare?: () => Promise<Declare>
  /** For operators, who are permitted on the command line what the console permits. */
  readonly declareForOperators?: () => Promise<Declare>
}

export const FOR_ALL = 'For everyone'

/** By the heading under which the help lists them. */
export const COMMANDS = {
  "For a partner's developers": {
    login: {
      summary: 'store the credentials of a partner in a profile, after checking them by a token request',
      declare: async () => (await import('./developer/profile/login.ts')).declareLogin,
    },
    logout: {
      summary: 'delete a profile',
      declare: async () => (await import('./developer/profile/login.ts')).declareLogout,
    },
    consent: {
      summary: 'consents: create one, list yours; for operators, those of all partners that expire soon',
      declare: async () => (await import('./developer/consents/consents.ts')).addConsentCommands,
      declareForOperators: async () => (await import('./operator/consents.ts')).addConsentCommands,
    },
    pay: {
      summary: 'initiate a domestic payment, and print what to do next',
      declare: async () => (await import('./developer/payments/pay.ts')).declarePay,
    },
    payroll: {
      summary: 'pay the salaries of a CSV file; for operators, payrolls that are being submitted to banks',
      declare: async () => (await import('./developer/payrolls/pay-salaries.ts')).addPayrollCommands,
      declareForOperators: async () => (await import('./operator/payrolls.ts')).addPayrollCommands,
    },
    approve: {
      summary: 'start the approval of payments or payrolls, and print the link for the user',
      declare: async () => (await import('./developer/payments/approve.ts')).declareApprove,
    },
    status: {
      summary: 'print the status of a payment, payroll or consent, with its history',
      declare: async () => (await import('./developer/payments/status.ts')).declareStatus,
    },
    entries: {
      summary: 'print the entries on an account while they are read',
      declare: async () => (await import('./developer/entries/entries.ts')).declareEntries,
    },
    logs: {
      summary: 'your requests to the gateway, with their responses',
      declare: async () => (await import('./developer/requests/request-log.ts')).addRequestCommands,
    },
    listen: {
      summary: 'print what is delivered, verified, and forward it to an address on this machine; sandbox only',
      declare: async () => (await import('./developer/webhooks/listen.ts')).declareListen,
    },
    trigger: {
      summary: 'make the sandbox produce an event of a type, and print its delivery; without a type, list them all',
      declare: async () => (await import('./developer/webhooks/trigger/trigger.ts')).declareTrigger,
    },
    'webhook-test': {
      summary: 'try an endpoint of yours with right and wrong deliveries, and report what it must change; no gateway',
      declare: async () => (await import('./developer/webhooks/receiver-test/webhook-test.ts')).declareWebhookTest,
    },
    replay: {
      summary: 'have past events, or one delivery, delivered again to a subscription',
      declare: async () => (await import('./developer/webhooks/replay.ts')).declareReplay,
    },
    conform: {
      summary: 'check a server against the published API, and report what violates it; exits with 4 if a check fails',
      declare: async () => (await import('./developer/conformance/conform.ts')).declareConform,
    },
  },
  'The sandbox on this machine': {
    start: {
      summary: 'run everything on this machine: PostgreSQL, gateway, worker and the sandbox bank',
      declare: async () => (await import('./commands/program-commands.ts')).declareStart,
    },
    reset: {
      summary: 'delete all data of `havn start` on this machine',
      declare: async () => (await import('./commands/program-commands.ts')).declareReset,
    },
    clock: {
      summary: 'business time in the sandbox on this machine',
      declare: async () => (await import('./commands/clock-commands.ts')).addClockCommands,
    },
    'data-set': {
      summary: 'data sets of the sandbox: empty, demo, or with payments',
      declareForOperators: async () => (await import('./operator/data-sets.ts')).addDataSetCommands,
    },
  },
  'For operators': {
    tasks: {
      summary: 'tasks that need an operator',
      declareForOperators: async () => (await import('./operator/tasks.ts')).addTaskCommands,
    },
    partner: {
      summary: 'partners: the clients of the API',
      declareForOperators: async () => (await import('./operator/partners.ts')).addPartnerCommands,
    },
    client: {
      summary: 'credentials of partners, so that old and new ones overlap',
      declareForOperators: async () => (await import('./operator/partners.ts')).addClientCommands,
    },
    company: {
      summary: 'companies that a partner may act for, and their permissions',
      declareForOperators: async () => (await import('./operator/companies.ts')).addCompanyCommands,
    },
    agreement: {
      summary: "companies' agreements with banks on files, used as consents",
      declareForOperators: async () => (await import('./operator/agreements.ts')).addAgreementCommands,
    },
    onboarding: {
      summary: 'onboardings of companies, and their review',
      declareForOperators: async () => (await import('./operator/onboardings.ts')).addOnboardingCommands,
    },
    webhooks: {
      summary: 'webhook subscriptions, deliveries and replay',
      declareForOperators: async () => (await import('./operator/webhooks.ts')).addWebhookCommands,
    },
    deal: {
      summary: 'FX deals at the provider, and inbound funds',
      declareForOperators: async () => (await import('./operator/deals.ts')).addDealCommands,
    },
    ledger: {
      summary: 'the double-entry ledger of FX deals',
      declareForOperators: async () => (await import('./operator/deals.ts')).addLedgerCommands,
    },
    console: {
      summary: 'users of the console who sign in with passkeys',
      declareForOperators: async () => (await import('./operator/console-users.ts')).addConsoleCommands,
    },
  },
  'For the maintainers of an installation': {
    gateway: {
      summary: 'serve the API and the user pages; run any number of them',
      declare: async () => (await import('./commands/program-commands.ts')).declareRole,
    },
    worker: {
      summary: 'run due jobs: poll payments, enforce deadlines, resolve unknown outcomes; run any number of them',
      declare: async () => (await import('./commands/program-commands.ts')).declareRole,
    },
    migrate: {
      summary:
        "migrate the database of DATABASE_URL to this release's schema; once per release, before the roles start",
      declare: async () => (await import('./commands/program-commands.ts')).declareMigrate,
    },
    health: {
      summary: 'whether the gateway or worker on this machine is alive, by its exit code: for health checks',
      declare: async () => (await import('./commands/program-commands.ts')).declareHealth,
    },
    doctor: {
      summary: 'find what is wrong with the configuration, and what to do; exits with 1 if there is an error',
      declare: async () => (await import('./doctor/doctor-command.ts')).declareDoctor,
    },
    bank: {
      summary: 'the directory of banks',
      declareForOperators: async () => (await import('./operator/bank-commands.ts')).addBankCommands,
    },
    provider: {
      summary: 'the FX provider',
      declareForOperators: async () => (await import('./operator/provider.ts')).addProviderCommands,
    },
    certificates: {
      summary: 'our certificates towards banks: QWAC and QSEAL',
      declareForOperators: async () => (await import('./operator/certificates.ts')).addCertificateCommands,
    },
    keys: {
      summary: 'the master keys that encrypt secrets at rest',
      declareForOperators: async () => (await import('./operator/keys.ts')).addKeyCommands,
    },
    'after-restore': {
      summary: 'prepare a restored database before a gateway or worker uses it',
      declareForOperators: async () => (await import('./operator/reconcile.ts')).declareAfterRestore,
    },
    reconcile: {
      summary: 'find orders that banks hold and the database has lost',
      declareForOperators: async () => (await import('./operator/reconcile.ts')).declareReconcile,
    },
  },
  [FOR_ALL]: {
    completion: {
      summary: 'print the completion of a shell',
      declare: async () => (await import('./completion/completion-command.ts')).declareCompletion,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CommandEntry>>>>
