/** The order in which a reader can run the examples of the reference: what one needs, others before it have made. */

/** The commands that every guide begins with. */
export const PREPARATION = 'preparation'

/** An example (`operation`, or `operation[1]` for its second), the preparation, or a shell command of the reader. */
export type WalkStep = string | { readonly shell: string }

/** Every example at least once, `stepSandboxPayout` only on request; some are run again for those that follow. */
export function referenceWalk({ withPayout }: { readonly withPayout: boolean }): readonly WalkStep[] {
  return [
    PREPARATION,
    ...['issueToken', 'getKeys', 'getServerMetadata'],
    ...['listBanks', 'getBank', 'listCountries', 'getPaymentRequirement', 'getPaymentRequirement[1]'],
    ...['listRegulatoryCodes', 'listCurrencies', 'getExchangeCalendar', 'listCompanies', 'activateSubscription'],
    ...['validateRemittance', 'validateRemittance[1]', 'validateRemittance[2]'],
    ...consentsAndAccounts(),
    // Without open payments a move of the clock has little to do. It changes the days of the preparation.
    ...['moveSandboxClock', 'moveSandboxClock[2]', PREPARATION, 'moveSandboxClock[1]', PREPARATION],
    ...exchange(),
    ...(withPayout ? [...payout(), PREPARATION] : []),
    ...payments(),
    ...payrolls(),
    ...webhooks(),
    ...['listRequests', 'listRequests[1]', 'getRequest'],
    ...onboarding(),
    ...['getSandboxClock', 'moveSandboxClock[3]'],
    { shell: 'FAULTY_BANK=ELVANO22' },
    ...['disturbSandboxBank', 'disturbSandboxExchange', 'healSandboxBanks'],
    ...['endSandboxConsent', 'createConsent', 'decideSandboxConsent', 'revokeConsent'],
  ]
}

function consentsAndAccounts(): readonly WalkStep[] {
  return [
    ...['createConsent', 'decideSandboxConsent', 'createConsent[1]', 'decideSandboxConsent[1]'],
    ...['getConsent', 'listConsents', 'listAccounts', 'getAccountBalance', 'addSandboxEntry'],
    ...['listAccountEntries', 'listExtendedAccountEntries', 'getAccountEntryDetails'],
  ]
}

function payments(): readonly WalkStep[] {
  return [
    ...['initiateDomesticPayment', 'initiateDomesticPayment[1]', 'initiateCrossBorderPayment'],
    ...['approvePayments', 'abandonPaymentApproval', 'approvePayments', 'decideSandboxApproval[1]'],
    ...['initiateDomesticPayment', 'approvePayments', 'decideSandboxApproval', 'getPaymentApproval'],
    ...['getPayment', 'getPaymentStatus', 'getPaymentStatus[1]', 'listPayments'],
    ...['cancelPayment', 'abandonPaymentCancellation', 'cancelPayment', 'decideSandboxCancellation'],
    ...['getPaymentCancellation', 'cancelPayment[1]'],
    ...['initiateDomesticPayment', 'stepSandboxPayment', 'initiateDomesticPayment', 'setSandboxPaymentStatus'],
  ]
}

function exchange(): readonly WalkStep[] {
  return [
    ...['validateExchange', 'validateExchange[1]', 'quoteExchange[1]', 'quoteExchange', 'addSandboxArrival'],
    'initiateCrossBorderPayment[1]',
  ]
}

/**
 * The payout of a payment with exchange is returned after it was signed, funded and sent. That takes two bank days, six
 * days at Easter, in which open payments are polled.
 */
function payout(): readonly WalkStep[] {
  return [
    { shell: 'PAYMENT=$EXCHANGE_PAYMENT' },
    ...['approvePayments', 'decideSandboxApproval', 'moveSandboxClock'],
    { shell: `post /api/sandbox/clock '{"advance": "P4D"}'` },
    'stepSandboxPayout',
  ]
}

/** The cancellation of a signed payroll is the one that its user must sign. */
function payrolls(): readonly WalkStep[] {
  return [
    ...['initiatePayroll', 'initiatePayroll[1]', 'listPayrolls', 'getPayrollStatus'],
    ...['approvePayrolls', 'getPayrollApproval', 'abandonPayrollApproval', 'approvePayrolls'],
    { shell: 'APPROVAL=$PAYROLL_APPROVAL' },
    ...['decideSandboxApproval', 'cancelPayroll', 'getPayrollCancellation', 'abandonPayrollCancellation'],
    'initiatePayrollBulk',
  ]
}

function webhooks(): readonly WalkStep[] {
  return [
    ...['openSandboxInbox', 'createWebhookSubscription', 'listWebhookSubscriptions', 'getWebhookSubscription'],
    ...['testWebhookSubscription', 'testWebhookSubscription[1]', 'listSandboxInboxDeliveries'],
    ...['listWebhookDeliveries', 'getWebhookDelivery', 'retryWebhookDelivery'],
    ...['listWebhookEvents', 'replayWebhookEvents', 'replayWebhookEvents[1]'],
    ...['pauseWebhookSubscription', 'resumeWebhookSubscription'],
    ...['rotateWebhookBearerToken', 'rotateWebhookSigningSecret'],
    ...['updateWebhookSubscription', 'disableWebhookSubscription'],
  ]
}

function onboarding(): readonly WalkStep[] {
  return [
    ...['startOnboarding', 'listOnboardings', 'getOnboardingStatus', 'cancelOnboarding'],
    ...['startOnboarding', 'stepSandboxOnboarding', 'stepSandboxOnboarding[1]', 'registerCompany'],
    { shell: 'COMPANY=987654422' },
    'cancelSubscription',
  ]
}
