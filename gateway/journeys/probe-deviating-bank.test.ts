/** Journey: a probe finds what a bank of one's own does differently, and with the new profile a payment works there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import finnish from '../../data/bank-profiles/finnish-redirect.json' with { type: 'json' }
import type { BankProfile } from '../../sandbox/bank/fixture.ts'
import { loadDemoFixture } from '../../sandbox/bank/load-fixture.ts'
import { isChange, type ProbeReport } from '../banks/connector/probe-report.ts'
import { openBankProfiles } from '../banks/directory/bank-profile-files.ts'
import { putBank } from '../banks/directory/directory-entry.ts'
import { STANDARD_SIGNATURE } from '../banks/standards/berlin-group/dialect.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type TestCertificates, testCertificates } from '../testing/gateway/test-certificates.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'

const BIC = 'SAIMFIHH'
const PRODUCT = 'se-domestic-credit-transfers'
/** The value of the header is known from the bank's documentation only. */
const EVERY_CALL = { headers: { 'x-client': 'havn' }, query: {} }

/** How the bank differs from the profile `finnish-redirect`, and what the probe must suggest for each. */
const DEVIATIONS: readonly {
  readonly bank: Partial<BankProfile>
  readonly suggested: Readonly<Record<string, string>>
}[] = [
  { bank: { signsDate: true }, suggested: { 'dialect.signature': signatureWithDate() } },
  {
    bank: { required: { headers: ['x-client'], query: [], userHeaders: [] } },
    suggested: { 'dialect.onEveryCall': '["x-client"]' },
  },
  { bank: { psuIdRequired: false }, suggested: { 'userId.required': 'false' } },
  {
    bank: { products: [{ name: PRODUCT, rails: ['account'] }], crossBorder: null },
    suggested: { 'dialect.products.account': PRODUCT, 'dialect.crossBorder.product': 'none' },
  },
  { bank: { endToEndId: 'rejected' }, suggested: { 'dialect.endToEndIdMax': 'null' } },
  {
    bank: { message: { member: 'list', max: 140, toOthersMax: null, ownNumbers: [] } },
    suggested: { 'dialect.message.member': 'remittanceInformationUnstructuredArray' },
  },
  {
    bank: { reference: { member: 'single', types: ['SCOR'] } },
    suggested: { 'dialect.reference.form': 'object', 'dialect.reference.type': 'SCOR' },
  },
  {
    bank: { signing: { redirect: 'implicit', app: 'none', confirmation: true } },
    suggested: { 'dialect.authorisations': 'implicit', 'dialect.confirmationParameter': 'confirmationCode' },
  },
  {
    bank: { consent: { daysMax: 180, newerEndsOlder: true, models: ['global'] } },
    suggested: { 'dialect.consentAccess': 'all-accounts' },
  },
]

let folder: string
let certificates: TestCertificates
let gateway: TestGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
  certificates = await testCertificates()
  const settings = { ...certificates.settings, HAVN_BANK_PROFILES_DIR: folder }
  const demo = loadDemoFixture()
  const changes = Object.assign({}, ...DEVIATIONS.map(({ bank }) => bank))
  const banks = demo.banks.map((bank) => (bank.bic === BIC ? { ...bank, ...changes } : bank))
  gateway = await startTestGateway({ ...certificates, settings, fixture: { ...demo, banks } })
})
afterAll(async () => {
  await gateway.close()
  await certificates.remove()
  await rm(folder, { recursive: true })
})

test('nine deviations are found, and the suggested profile makes a payment work', async () => {
  await put(finnish)
  const report = await probe()
  expect(changesIn(report)).toEqual(Object.assign({}, ...DEVIATIONS.map(({ suggested }) => suggested)))
  expect(report.remaining).toEqual([])

  await put(profileWith(changesIn(report)))
  expect(changesIn(await probe())).toEqual({})
  const driver = openPaymentDriver(gateway)
  const bank = { ...nordicBank(BIC), plainPages: false }
  const { paymentId } = await driver.order(bank)
  await driver.sign(bank, paymentId)
  expect(await driver.settled(paymentId)).toMatchObject({ status: 'Completed' })
})

async function probe(): Promise<ProbeReport> {
  const { users, organizationNumber: organisationNumber } = nordicBank(BIC)
  return await gateway.context.banks.probe(BIC, { userId: users[0], organisationNumber })
}

function changesIn({ findings }: ProbeReport): Readonly<Record<string, string | null>> {
  return Object.fromEntries(findings.filter(isChange).map(({ setting, suggested }) => [setting, suggested]))
}

async function put(profile: object): Promise<void> {
  const { context, bank } = gateway
  const address = bank.urlOf('saimaa')
  await writeFile(join(folder, 'own.json'), JSON.stringify({ ...profile, name: 'own' }))
  await putBank(context.database, await (await openBankProfiles(folder, context.log)).current(), {
    ...{ bic: BIC, name: 'Own bank', countryCode: 'FI', connector: 'berlin-group', profile: 'own' },
    address,
    linkHosts: [new URL(address).host, new URL(bank.pagesUrl).host],
  })
  gateway.passWallTime(5)
}

/** What an operator makes of the report. */
function profileWith(changes: Readonly<Record<string, string | null>>): object {
  const profile = structuredClone(finnish)
  const { dialect } = profile
  for (const [setting, suggested] of Object.entries(changes)) {
    const path = setting.split('.')
    const name = path.pop() ?? ''
    const parent = path.reduce((within, part) => within[part], Object(profile))
    parent[name] = parsed(suggested ?? '')
  }
  const { crossBorder: _product, ...domestic } = dialect
  const { crossBorder: _limits, ...rest } = profile
  return {
    ...rest,
    products: profile.products.filter((product) => product !== 'PAYMENT_CROSS_BORDER'),
    dialect: { ...domestic, onEveryCall: EVERY_CALL },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function signatureWithDate(): string {
  return JSON.stringify({ ...STANDARD_SIGNATURE, headers: ['date', ...STANDARD_SIGNATURE.headers] })
}
