/** Journey: a probe detects banks' dialects without side effects, and helps to write a new bank's profile. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import finnish from '../../data/bank-profiles/finnish-redirect.json' with { type: 'json' }
import { banksOfEachKind } from '../../sandbox/testing/tested-banks.ts'
import { isChange, type ProbeReport } from '../banks/connector/probe-report.ts'
import { openBankProfiles } from '../banks/directory/bank-profile-files.ts'
import { putBank } from '../banks/directory/directory-entry.ts'
import {
  PROBE_TARGET_LOGIN_HOST,
  type ProbeTargetBank,
  startProbeTargetBank,
} from '../banks/testing/probe-target-bank.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { programEnvironment, runHavnCommand } from '../testing/gateway/havn-command.ts'
import { type TestCertificates, testCertificates } from '../testing/gateway/test-certificates.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'

const DIFFERENT = 'DIFFFIHH'
const HAVN = fileURLToPath(new URL('../../cli/havn', import.meta.url))

let folder: string
let certificates: TestCertificates
let settings: Readonly<Record<string, string>>
let gateway: TestGateway
let different: ProbeTargetBank
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
  certificates = await testCertificates()
  settings = { ...certificates.settings, HAVN_BANK_PROFILES_DIR: folder }
  gateway = await startTestGateway({ ...certificates, settings })
  different = await startProbeTargetBank()
})
afterAll(async () => {
  await different.close()
  await gateway.close()
  await certificates.remove()
  await rm(folder, { recursive: true })
})

/** A user of a bank of the sandbox; `bic` is the bank's BIC in the directory. */
async function probe(sandboxBic: string, bic = sandboxBic): Promise<ProbeReport> {
  const { users, organizationNumber: organisationNumber } = nordicBank(sandboxBic)
  return await gateway.context.banks.probe(bic, { userId: users[0], organisationNumber })
}

const suggestedIn = ({ findings }: ProbeReport) =>
  Object.fromEntries(findings.map(({ setting, suggested }) => [setting, suggested]))
const changesIn = ({ findings }: ProbeReport) =>
  Object.fromEntries(findings.filter(isChange).map(({ setting, suggested }) => [setting, suggested]))

/** A bank with a profile of its own, out of use: no partner sees it yet. */
async function put(bic: string, address: string, profile: object): Promise<void> {
  const { database, log } = gateway.context
  await writeFile(join(folder, 'new.json'), JSON.stringify({ ...profile, name: 'new' }))
  await putBank(database, await (await openBankProfiles(folder, log)).current(), {
    ...{ bic, address, name: 'New bank', countryCode: 'FI', connector: 'berlin-group', profile: 'new' },
    ...{ linkHosts: [new URL(address).host], enabled: false },
  })
}

/** Orders at the sandbox's banks that could still be signed. */
async function openAtSandbox(): Promise<unknown> {
  const { rows } = await gateway.context.database.pool.query(
    `select (select count(*) from sandbox_bank.consents where status = 'received') as consents,
      (select count(*) from sandbox_bank.payments) as payments`,
  )
  return rows[0]
}

describe('a bank of the sandbox', () => {
  test.each(banksOfEachKind(['MALBSESS', 'VSKYNO22', 'AURAFIHH'], ['FJORNO22', 'SAIMFIHH']))(
    '%s responds as its profile says',
    async (bic) => {
      const before = await openAtSandbox()
      const report = await probe(bic)
      expect({ changes: changesIn(report), calls: report.calls }).toEqual({ changes: {}, calls: report.calls })
      const suggested = suggestedIn(report)
      // The responses contain what the profile states, and are not empty.
      const shown = [
        'dialect.accounts',
        'dialect.reference.form',
        'dialect.products.account',
        'baskets',
        'userId.required',
      ]
      expect(shown.filter((setting) => suggested[setting] === null)).toEqual([])
      expect(await openAtSandbox()).toEqual(before)
    },
  )

  test('shows the settings that differ from a wrong profile', async () => {
    const { dialect } = finnish
    const wrong = { accounts: 'bban', consentAccess: 'all-accounts', frequencyPerDay: 4, authorisations: 'implicit' }
    const message = { member: 'remittanceInformationUnstructuredArray' }
    const reference = { form: 'array', type: 'SCOR' }
    const products = { account: 'norwegian-domestic-credit-transfers' }
    await put('WRONFIHH', gateway.bank.urlOf('saimaa'), {
      ...finnish,
      userId: { ...finnish.userId, required: false },
      dialect: { ...dialect, ...wrong, message, reference, products },
    })
    const report = await probe('SAIMFIHH', 'WRONFIHH')
    expect(changesIn(report)).toEqual({
      'userId.required': 'true',
      'dialect.authorisations': 'explicit',
      'dialect.products.account': 'sepa-credit-transfers',
      'dialect.accounts': 'iban',
      'dialect.message.member': 'remittanceInformationUnstructured',
      'dialect.reference.form': 'string',
    })
  })

  test('that requires users to sign in first is described no further', async () => {
    const { findings, notes } = await probe('NORDSESS')
    expect(findings).toMatchObject([{ setting: 'oauth', suggested: 'pre-step' }])
    expect(notes.join()).toContain('users sign in first')
  })
})

describe('a bank without a profile', () => {
  test('is described setting by setting, from a profile that is wrong nearly everywhere', async () => {
    await put(DIFFERENT, different.address, finnish)
    const first = await gateway.context.banks.probe(DIFFERENT, { userId: null, organisationNumber: null })
    expect(changesIn(first)).toMatchObject({ 'dialect.onEveryCall': '["x-client"]' })

    const onEveryCall = { headers: { 'x-client': 'havn' }, query: {} }
    const reference = { form: 'object', type: 'SCOR' }
    await put(DIFFERENT, different.address, { ...finnish, dialect: { ...finnish.dialect, onEveryCall, reference } })
    const second = await gateway.context.banks.probe(DIFFERENT, { userId: null, organisationNumber: null })
    expect(changesIn(second)).toMatchObject({
      'dialect.consentAccess': 'all-accounts',
      'dialect.askOwnerName': 'false',
      'userId.required': 'false',
      'dialect.authorisations': 'implicit',
      maxConsentValidityDays: '90',
      'dialect.frequencyPerDay': '1',
      '--link-host': expect.stringContaining(PROBE_TARGET_LOGIN_HOST),
      'dialect.crossBorder.product': 'none',
      'payroll.submissionMode': 'bulk',
      cancellation: 'none',
      'dialect.endToEndIdMax': '16',
      'constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks': '70',
      'dialect.reference.form': 'string',
    })
    expect(suggestedIn(second)).toMatchObject({
      'dialect.purposeCode': 'true',
      'dialect.creditorAddress': 'false',
      'dialect.paymentInformationId': 'false',
    })
    expect(different.consents.size).toBe(0)
    expect(await gateway.client.listBanks({ params: { countryCode: 'FI' } })).not.toContainEqual(
      expect.objectContaining({ bic: DIFFERENT }),
    )
  })

  test('must be in the directory, with a connector that supports probing', async () => {
    const nobody = { userId: null, organisationNumber: null }
    const unknown = { ...nobody, certificate: 'unknown' }
    await expect(gateway.context.banks.probe('FJORNO22', unknown)).rejects.toThrow('no certificate unknown')
    await expect(gateway.context.banks.probe('NONEFIHH', nobody)).rejects.toThrow('add it first')
    const { database, log } = gateway.context
    await putBank(database, await (await openBankProfiles(null, log)).current(), {
      ...{ bic: 'FILENO22', name: 'Files', countryCode: 'NO', connector: 'iso20022', profile: 'norwegian-files' },
      ...{ address: `file://${folder}`, linkHosts: [] },
    })
    await expect(gateway.context.banks.probe('FILENO22', nobody)).rejects.toThrow('does not support probing')
  })

  test('is probed by a command, which prints what to change and what it called', async () => {
    await put(DIFFERENT, different.address, finnish)
    const reported = await runHavnCommand(['bank', 'probe', DIFFERENT.toLowerCase(), '--calls'], environment())
    expect(reported.code).toBe(0)
    expect(reported.out).toMatch(
      /^dialect\.onEveryCall +\[\] +\["x-client"\] +CHANGE +a call without any is answered with 400/m,
    )
    expect(reported.out).toMatch(/^POST \/consents +400 FORMAT_ERROR at x-client/m)
    await put(DIFFERENT, 'http://127.0.0.1:9', finnish)
    const { code, error } = await runHavnCommand(['bank', 'probe', DIFFERENT], environment())
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('did not respond') })
    await put(DIFFERENT, `${gateway.bank.urlOf('saimaa')}/nowhere`, finnish)
    const nothing = await runHavnCommand(['bank', 'probe', DIFFERENT], environment())
    expect(nothing).toMatchObject({ code: 1, error: expect.stringContaining('The probe learned nothing') })
    expect(nothing.out).toContain('All requests were answered alike (GET with 404')
  })

  test('is listed with what remains there when the probe is interrupted', async () => {
    const { address, whenSilent, close } = await startSilentBank()
    await put(DIFFERENT, address, finnish)
    const env = { ...programEnvironment(), ...environment() }
    const { promise, resolve } = Promise.withResolvers<{ code: number | null; out: string; error: string }>()
    const program = execFile(HAVN, ['bank', 'probe', DIFFERENT], { env }, (_error, out, error) =>
      resolve({ code: program.exitCode, out, error }),
    )
    await whenSilent
    program.kill('SIGINT')
    const { code, out, error } = await promise
    await close()
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('ended early: interrupted') })
    expect(out).toMatch(/^payments +sepa-credit-transfers +order-1 +\S+ +is RCVD; its deletion was answered with 405$/m)
    expect(out).toMatch(/^payments +sepa-credit-transfers +unknown +\S+ +unknown: interrupted$/m)
  })
})

/** Accepts an order, cancels none, and never answers the second one. */
async function startSilentBank() {
  const { promise: whenSilent, resolve: fallSilent } = Promise.withResolvers<void>()
  let orders = 0
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await text(request)
    const isOrder = method === 'POST' && url.endsWith('/payments/sepa-credit-transfers') && body !== '{}'
    orders += isOrder ? 1 : 0
    if (isOrder && orders > 1) {
      fallSilent()
      return
    }
    const known = url.includes('order-1')
    const status = isOrder ? 201 : known ? (method === 'DELETE' ? 405 : 200) : url.includes('sepa') ? 400 : 404
    const answer = isOrder || known ? { paymentId: 'order-1', transactionStatus: 'RCVD' } : {}
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a listening server is an object.
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { address: `http://127.0.0.1:${port}/psd2`, whenSilent, close }
}

/** The settings of the gateway. */
function environment(): Readonly<Record<string, string>> {
  const { masterKeyFile: HAVN_MASTER_KEY_FILE = '', databaseUrl: DATABASE_URL } = gateway.config
  return { HAVN_MODE: 'sandbox', HAVN_MASTER_KEY_FILE, DATABASE_URL, ...settings }
}
