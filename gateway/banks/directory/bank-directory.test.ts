/** Shows what the bank directory finds, rejects and caches, and when it pauses a bank. */
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Bank as BankShown } from '../../../contract/banks.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { openLog } from '../../platform/observability/log.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import { connectorTools } from '../testing/connector-tools.ts'
import type { CallOutcome } from '../transport/bank-http-client.ts'
import { type BankDirectory, openBankDirectory } from './bank-directory.ts'
import { type NewBank, putBank } from './directory-entry.ts'
import { getBankOfCountry, listBanks } from './routes.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from './validate-bank-profile.ts'

const FJORDBANKEN: NewBank = {
  bic: 'FJORNO22',
  name: 'Fjordbanken',
  countryCode: 'NO',
  connector: 'berlin-group',
  profile: 'norwegian-redirect',
  address: 'http://127.0.0.1:8083/fjordbanken',
  linkHosts: ['127.0.0.1:8081'],
}

let fresh: FreshDatabase
let database: Database<unknown>
let profiles: ReadonlyMap<string, BankProfile>
let wall = Temporal.Instant.from('2026-11-23T09:00:00Z')
let reported: string[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 4 })
  profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(async () => {
  await database.pool.query('delete from banks')
  reported = []
})

describe('the directory', () => {
  test('finds an enabled bank by its BIC, joined with its profile', async () => {
    await put(FJORDBANKEN)
    const bank = await open().find('FJORNO22')
    expect(bank).toMatchObject({
      name: 'Fjordbanken',
      linkHosts: ['127.0.0.1:8081'],
      profile: { name: 'norwegian-redirect' },
    })
    expect(await open().find('OTHRNO22')).toBeUndefined()
  })

  test('finds the first bank at once, although the directory was empty when it was read', async () => {
    const directory = open()
    expect(await directory.find('FJORNO22')).toBeUndefined()
    await put(FJORDBANKEN)
    expect(await directory.find('FJORNO22')).toBeDefined()
  })

  test('returns the connector of a bank', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    const bank = await directory.find('FJORNO22')
    expect(bank && directory.connectorOf(bank)).toHaveProperty('domesticPayments')
  })

  test('lists the banks of a country by name, without disabled ones', async () => {
    await put({ ...FJORDBANKEN, bic: 'VIKENO22', name: 'Vikbanken' })
    await put(FJORDBANKEN)
    await put({ ...FJORDBANKEN, bic: 'AAAANO22', name: 'Andre', enabled: false })
    await put({ ...FJORDBANKEN, bic: 'BBBBSE22', name: 'Bäckbanken', countryCode: 'SE', profile: 'swedish-redirect' })
    const banks = await listBanks(open(), 'no')
    expect(banks.map(({ name }) => name)).toEqual(['Fjordbanken', 'Vikbanken'])
    expect(await listBanks(open(), 'XX')).toEqual([])
  })

  test('shows a bank with everything that partners need to know about it', async () => {
    await put(FJORDBANKEN)
    const shown = await getBankOfCountry(open(), 'NO', 'fjorno22')
    expect(Value.Errors(BankShown, shown)).toEqual([])
    expect(shown).toMatchObject({
      bic: 'FJORNO22',
      countryCode: 'NO',
      supportedProducts: [
        'PAYMENT_DOMESTIC',
        'PAYMENT_CROSS_BORDER',
        'ACCOUNTS',
        'ACCOUNT_ENTRIES',
        'ACCOUNT_ENTRIES_EXTENDED',
        'PAYMENT_CANCEL',
      ],
      constraints: { maxInformationFieldLength: 70, maxUnstructuredRemittanceInfoLength: 140 },
      userId: { required: true, label: 'Fødselsnummer', example: '01815012345' },
      cutOffTime: '14:00',
      cutOffs: [{ rail: 'account', localTime: '14:00', bankDaysBefore: 0 }],
      status: 'Operational',
    })
  })

  test('shows no bank under another country', async () => {
    await put(FJORDBANKEN)
    await expect(getBankOfCountry(open(), 'SE', 'FJORNO22')).rejects.toMatchObject({ reasonCode: 'not-found' })
    await expect(getBankOfCountry(open(), 'NO', 'NONENO22')).rejects.toMatchObject({ reasonCode: 'not-found' })
  })

  test('reloads changes after 5 seconds of wall time, and when the clock is put back', async () => {
    await put({ ...FJORDBANKEN, bic: 'VIKENO22', name: 'Vikbanken' })
    const directory = open()
    expect(await directory.find('FJORNO22')).toBeUndefined()
    await put(FJORDBANKEN)
    pass(4.9)
    expect(await directory.find('FJORNO22')).toBeUndefined()
    pass(0.1)
    expect(await directory.find('FJORNO22')).toBeDefined()
    await put({ ...FJORDBANKEN, enabled: false })
    pass(-3_600)
    expect(await directory.find('FJORNO22')).toBeUndefined()
  })

  test('keeps the measured state of a bank whose row is changed', async () => {
    await put(FJORDBANKEN)
    await fail(open(), 3)
    await put({ ...FJORDBANKEN, name: 'Fjordbanken AS' })
    const directory = open()
    expect(await directory.isPaused('FJORNO22')).toBe(true)
    expect(await directory.find('FJORNO22')).toMatchObject({ name: 'Fjordbanken AS' })
  })

  test('accepts no bank that could not be used', async () => {
    const rejected = put({ ...FJORDBANKEN, profile: 'gone' })
    await expect(rejected).rejects.toThrow('Bank FJORNO22 cannot be added to the directory: there is no profile gone')
    expect(await open().find('FJORNO22')).toBeUndefined()
  })

  test('skips an invalid row, logs it once, and keeps the others', async () => {
    await put(FJORDBANKEN)
    await put({ ...FJORDBANKEN, bic: 'VIKENO22' })
    await database.pool.query("update banks set profile = 'gone' where bic = 'VIKENO22'")
    const directory = open()
    expect((await directory.inCountry('NO')).map(({ bic }) => bic)).toEqual(['FJORNO22'])
    pass(6)
    await directory.inCountry('NO')
    expect(reported).toHaveLength(1)
    expect(reported[0]).toContain('there is no profile gone')
  })
})

describe('a failing bank', () => {
  test('is tolerated twice, then paused for 5 seconds and shown as degraded', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await fail(directory, 2)
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Operational' })
    await fail(directory, 1)
    expect(await stateOf(directory)).toEqual({ paused: true, status: 'Degraded' })
    pass(5)
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Degraded' })
  })

  test('is paused twice as long each time, for 5 minutes at most', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await fail(directory, 2)
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      await fail(directory, 1)
      pass(seconds - 1)
      expect(await directory.isPaused('FJORNO22')).toBe(true)
      pass(1)
      expect(await directory.isPaused('FJORNO22')).toBe(false)
    }
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Down' })
  })

  test('is not paused longer by concurrent calls', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await Promise.all(Array.from({ length: 20 }, () => fail(directory, 1)))
    pass(5)
    expect(await directory.isPaused('FJORNO22')).toBe(false)
  })

  test('is Down for partners after a minute', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await fail(directory, 3)
    pass(59)
    expect((await stateOf(directory)).status).toBe('Degraded')
    pass(1)
    expect((await stateOf(directory)).status).toBe('Down')
  })

  test('is Up again with its first response', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await fail(directory, 5)
    await directory.recordCall(call('answered'))
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Operational' })
    expect(await stateOf(open())).toEqual({ paused: false, status: 'Operational' })
  })

  test('is paused in every process', async () => {
    await put(FJORDBANKEN)
    const other = open()
    expect(await other.isPaused('FJORNO22')).toBe(false)
    await fail(open(), 3)
    pass(4)
    expect(await other.isPaused('FJORNO22')).toBe(false)
    pass(1)
    await fail(open(), 1)
    pass(5)
    expect(await other.isPaused('FJORNO22')).toBe(true)
  })

  test('is not one of which the same few orders fail again while it answers about others', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    const record = (outcome: CallOutcome, isRepeated: boolean) => directory.recordCall(call(outcome), isRepeated)
    for (let time = 0; time < 5; time += 1) {
      await record('failed', time > 0)
    }
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Operational' })
    await record('failed', false)
    await record('failed', false)
    expect(await stateOf(directory)).toEqual({ paused: true, status: 'Degraded' })
    await record('answered', false)
    for (let time = 0; time < 4; time += 1) {
      await record('failed', true)
    }
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Operational' })
  })

  test('is paused longer by the same orders as long as it answers nothing', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    for (const isRepeated of [false, false, false, true]) {
      await directory.recordCall(call('failed'), isRepeated)
      pass(5)
    }
    expect(await stateOf(directory)).toEqual({ paused: true, status: 'Degraded' })
  })

  test('for orders only is shown as degraded and down, and is read without a pause', async () => {
    await put(FJORDBANKEN)
    const directory = open()
    await fail(directory, 20, 'initiatePayment')
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Degraded' })
    await directory.recordCall(call('answered'))
    await fail(directory, 2)
    pass(60)
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Down' })
    expect(await stateOf(open())).toEqual({ paused: false, status: 'Down' })
    await directory.recordCall(call('answered', 'initiatePayment'))
    expect(await stateOf(directory)).toEqual({ paused: false, status: 'Operational' })
    expect(await stateOf(open())).toEqual({ paused: false, status: 'Operational' })
  })

  test('may be unknown: no state of it is stored', async () => {
    const directory = open()
    await directory.recordCall({ ...call('failed'), bank: 'NONENO22' })
    expect(await directory.isPaused('NONENO22')).toBe(false)
  })
})

function put(bank: NewBank): Promise<void> {
  return putBank(database, profiles, bank)
}

function pass(seconds: number): void {
  wall = wall.add({ milliseconds: seconds * 1000 })
}

function call(outcome: CallOutcome, operation = 'getPaymentStatus') {
  return { bank: 'FJORNO22', operation, outcome }
}

async function fail(directory: BankDirectory, times: number, operation?: string): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await directory.recordCall(call('failed', operation))
  }
}

async function stateOf(directory: BankDirectory) {
  const bank = await directory.find('FJORNO22')
  return { paused: await directory.isPaused('FJORNO22'), status: bank && (await directory.statusOf(bank)) }
}

/** A directory as in a process of its own. */
function open(): BankDirectory {
  const clock: Clock = {
    now: () => wall,
    real: () => wall,
    today: (zone) => wall.toZonedDateTimeISO(zone).toPlainDate(),
  }
  return openBankDirectory({
    database,
    profiles: { current: async () => profiles },
    clock,
    log: openLog({ program: 'test', level: 'error', destination: { write: (line) => void reported.push(line) } }),
    tools: connectorTools({ fetch: () => Promise.reject(new Error('No bank is asked here')), now: () => wall }),
  })
}
