/** Shows that every documented code of an operation has a trigger in the sandbox, which leads to exactly that code. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CODED_ERRORS, isCodedErrorCode } from '../../contract/errors/coded-errors.ts'
import { documentsErrorCode } from '../../contract/errors/error-bodies.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import documented from '../../data/documented-interface.json' with { type: 'json' }
import { codesWithoutTrigger, type ErrorTrigger, errorTriggers } from '../../sandbox/bank/outcomes/error-triggers.ts'
import { HavnError } from '../../sdk/index.ts'
import { newId } from '../platform/ids.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import {
  bankOfOperation,
  type Caller,
  type ErrorRequest,
  type ErrorRequests,
  openErrorRequests,
} from '../testing/contract/error-requests.ts'
import { sendRawRequest } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import { type GatewayWithIdentity, startGatewayWithIdentity } from '../testing/identity/identity-provider-fixture.ts'
import { acceptedWithoutBrowser } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'

const TIMEOUT_MILLISECONDS = 120_000
const FJORDBANKEN = nordicBank('FJORNO22')
const ANOTHER_BANK = nordicBank('HAVBNO22')
/** The scripted user who revokes the consent an hour later. */
const REVOKES_ACCESS = '77000000009'
const { organizationNumber, countryCode } = FJORDBANKEN

/** By bank, and the payroll that was ordered under one of the consents. */
type RevokedConsents = { readonly callers: ReadonlyMap<string, Caller>; readonly payrollId: string }

let stage: GatewayWithIdentity
let requests: ErrorRequests
let accountId: string
let revoked: RevokedConsents
beforeAll(async () => {
  stage = await startGatewayWithIdentity()
  requests = openErrorRequests(stage.gateway)
  revoked = await consentsToRevoke()
  const { accounts } = await stage.gateway.client.listAccounts(await requests.consentOf(FJORDBANKEN))
  accountId = accounts[0]?.id ?? ''
}, TIMEOUT_MILLISECONDS)
afterAll(() => stage.close())

test('every documented code that a bank, a provider or a company causes has one trigger, or a reason for none', () => {
  const listed = Object.values(operations).flatMap((operation) => documentedCodes(operation))
  const triggered = errorTriggers.map(nameOf)
  const excepted = codesWithoutTrigger.flatMap(({ operations: ids, codes }) =>
    ids.flatMap((id) => codes.map((code) => `${id} ${code}`)),
  )
  expect(listed.length).toBeGreaterThan(90)
  expect(listed.filter((name) => !triggered.includes(name) && !excepted.includes(name))).toEqual([])
  expect(excepted.filter((name) => !listed.includes(name))).toEqual([])
  const all = [...triggered, ...excepted]
  expect(all.filter((name, position) => all.indexOf(name) !== position)).toEqual([])
})

test('every trigger leads to its status and code', { timeout: TIMEOUT_MILLISECONDS }, async () => {
  const seen = await forEachRow(errorTriggers, nameOf, async (row) => {
    const error = await provoke(row).catch((reason: unknown) => reason)
    return error instanceof HavnError
      ? { status: error.status, code: error.failure ?? error.validationErrors[0]?.code }
      : error instanceof Error
        ? String(error)
        : Object(error)
  })
  const wrong = [...seen].filter(([{ status, code }, is]) => !isSame(is, { status, code }))
  expect(wrong.map(([row, is]) => [nameOf(row), is])).toEqual([])
})

function nameOf({ operation, code }: ErrorTrigger): string {
  return `${operation} ${code}`
}

/** As published, and the codes that the published interface lists as validation of an order. */
function documentedCodes(operation: Operation): readonly string[] {
  const published = Object.entries(documented.operations).find(([id]) => id === operation.id)?.[1]
  if (published === undefined) {
    return []
  }
  const coded = Object.keys(CODED_ERRORS).filter(
    (code) => isCodedErrorCode(code) && documentsErrorCode(operation, code),
  )
  // Quotes depend on the request and the clock only.
  const validation = operation.id.startsWith('initiate') ? operation.validation : []
  return [...published.failures, ...coded, ...validation].map((code) => `${operation.id} ${code}`)
}

function isSame(one: object | string, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The partner's request whose error the trigger provokes. */
async function provoke({ operation, trigger }: ErrorTrigger): Promise<unknown> {
  const { client } = stage.gateway
  const send = async (request: ErrorRequest = {}) => await requests.send[operation]?.({ accountId, ...request })
  switch (trigger.by) {
    case 'amount':
      return await send({ amount: `${trigger.amount}.00` })
    case 'revoked-consent': {
      const caller = revoked.callers.get(bankOfOperation(operation).bic)
      return await send({ payrollId: revoked.payrollId, ...(caller === undefined ? {} : { caller }) })
    }
    case 'consent-at-another-bank':
      return await send({ caller: await requests.consentOf(ANOTHER_BANK) })
    case 'unknown-account':
      return await send({ accountId: newId() })
    case 'fault': {
      const { by: _by, ...fault } = trigger
      await openSandboxBankControl(stage.gateway.bank).injectFault({ ...fault, effect: 'status', times: 1 })
      return await send()
    }
    case 'field':
      return await send({ field: trigger })
    case 'broken-json': {
      const path = operations[operation as keyof typeof operations].path
      const { status, body } = await sendRawRequest(stage.gateway, ['POST', path], { body: '{' })
      return { status, code: Object([body].flat()[0]).code }
    }
    case 'exchange-ahead':
      return await send({ crossBorder: requests.exchange(trigger.amount, 1, trigger.currency) })
    case 'hour-of-exchange':
      await passUntil(stage.gateway, `${requests.bankDay(1)}T${trigger.time}:00Z`)
      return await send({ crossBorder: requests.exchange('100.00', trigger.due === 'today' ? 0 : 1) })
    case 'saturday-of-exchange': {
      const day = requests.bankDay(1)
      await passUntil(stage.gateway, `${day.add({ days: 6 - day.dayOfWeek })}T10:00:00Z`)
      return await send({ crossBorder: requests.exchange('100.00') })
    }
    case 'cancelled-subscription': {
      const params = { countryCode, organizationNumber }
      await client.cancelSubscription({ params })
      return await send().finally(() => client.activateSubscription({ params }))
    }
    case 'existing-company':
      return await send()
    case 'onboarded-company':
      return await send({
        caller: await consentOfOnboarded(trigger),
        crossBorder: requests.paidBy(trigger.organizationNumber),
      })
  }
}

/** The consents are revoked at their banks by their user, an hour after they were given. */
async function consentsToRevoke(): Promise<RevokedConsents> {
  const { client } = stage.gateway
  const banks = [...new Set(errorTriggers.map(({ operation }) => bankOfOperation(operation)))]
  const callers = new Map(
    await Promise.all(banks.map(async (bank) => [bank.bic, await consentOfRevoker(bank)] as const)),
  )
  await passTime(stage.gateway, 'PT20M')
  const payrollBank = bankOfOperation('getPayrollStatus')
  const caller = callers.get(payrollBank.bic)
  const { payrollId } = await requests.orderPayroll(caller === undefined ? {} : { caller })
  await passTime(stage.gateway, 'PT1H')
  for (const ended of callers.values()) {
    // The bank says so at the next use of the consent.
    await eventually(() => expect(client.listAccounts(ended)).rejects.toMatchObject({ failure: 'INVALID_CONSENT' }))
  }
  return { callers, payrollId }
}

async function consentOfRevoker({ bic }: NordicBank): Promise<Caller> {
  const body = { bic, organizationNumber, userId: REVOKES_ACCESS, callbackUrl: CALLBACK }
  const { id: consentId } = await stage.gateway.client.createConsent({ psu: PSU, body })
  return { consentId, psu: PSU }
}

async function consentOfOnboarded(company: { readonly organizationNumber: string; readonly userId: string }) {
  const { client } = stage.gateway
  const { id: onboardingId } = await client.startOnboarding({
    body: { country: countryCode, organizationNumber: company.organizationNumber },
  })
  await client.stepSandboxOnboarding({ params: { onboardingId, step: 'fill' }, body: {} })
  await client.stepSandboxOnboarding({ params: { onboardingId, step: 'sign' }, body: {} })
  const consent = { bic: FJORDBANKEN.bic, organizationNumber: company.organizationNumber }
  return await acceptedWithoutBrowser(stage.gateway, company.userId, consent)
}
