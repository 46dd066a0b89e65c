/** Tests the validation of each section, the paths of errors, and that no input is lost or overwritten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken, newId, newToken } from '../../platform/ids.ts'
import { FIRST_DAY } from '../../testing/gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openOnboarding } from '../open-onboarding.ts'
import { NO_ANSWERS } from '../store/onboarding-answers.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import { findSession, insertSession } from '../store/onboarding-session-store.ts'
import { BAKERY, HOTEL, openOnboardingDriver } from '../testing/onboarding-driver.ts'
import type { OwnerInput } from './answer-validation.ts'
import { saveSection } from './save-section.ts'
import { submitOnboarding } from './submit-onboarding.ts'

let gateway: TestGateway
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  gateway = await startTestGateway()
  onboarder = openOnboardingDriver(gateway)
})
afterAll(() => gateway.close())

async function opened(requested: typeof BAKERY | typeof HOTEL = BAKERY) {
  const key = await onboarder.start(requested)
  await openOnboarding(gateway.context, key)
  return key
}
const DETAILS = {
  name: 'Another name',
  address: { streetName: 'Bryggen 12', postCode: '5003', city: 'Bergen', country: 'NO' },
  email: 'post@fjordglott.example',
  phone: '+47 55 00 11 22',
}
const OWNER: OwnerInput = {
  name: 'Sigrun Fjeldstad',
  birthDate: '1971-05-14',
  nationality: 'NO',
  country: 'NO',
  ownershipPercent: '100',
  isPoliticallyExposed: false,
}
const long = 'x'.repeat(201)

describe('the company’s details', () => {
  let drafted: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    drafted = await opened()
  })

  test('are saved with the registry’s name, whatever was entered', async () => {
    const key = await opened()
    expect((await onboarder.save(key, { section: 'CompanyDetails', typed: DETAILS })).outcome).toBe('saved')
    const { sections } = await readAnswers(gateway.context, key)
    expect(sections.CompanyDetails).toEqual({ ...DETAILS, name: 'Fjordgløtt Bakeri AS' })
  })

  test.each<[string, object, string, string]>([
    ['no street', { address: { ...DETAILS.address, streetName: ' ' } }, 'address.streetName', 'missing'],
    ['an overlong town', { address: { ...DETAILS.address, city: long } }, 'address.city', 'too-long'],
    [
      'a text with a direction override',
      { address: { ...DETAILS.address, city: 'Ber\u202egen' } },
      'address.city',
      'unprintable',
    ],
    ['no postal code', { address: { ...DETAILS.address, postCode: '' } }, 'address.postCode', 'missing'],
    ['an unknown country', { address: { ...DETAILS.address, country: 'QQ' } }, 'address.country', 'not-a-country'],
    ['no email address', { email: '' }, 'email', 'missing'],
    ['half an email address', { email: 'post@' }, 'email', 'not-an-email'],
    ['two email addresses', { email: 'a@b.no, c@d.no' }, 'email', 'not-an-email'],
    ['a header in an email address', { email: 'a@b.no\r\nBcc: c@d.no' }, 'email', 'not-an-email'],
    ['no telephone number', { phone: '' }, 'phone', 'missing'],
    ['words as telephone number', { phone: 'call me' }, 'phone', 'not-a-phone'],
    ['three digits as telephone number', { phone: '112' }, 'phone', 'not-a-phone'],
  ])('%s is reported at its path, and the input is preserved', async (_what, change, path, fault) => {
    const typed = { ...DETAILS, ...change }
    const saved = await onboarder.save(drafted, { section: 'CompanyDetails', typed })
    expect(saved).toMatchObject({ outcome: 'unsound', validationErrors: [{ path, fault }] })
    expect((await readAnswers(gateway.context, drafted)).drafts).toEqual({ CompanyDetails: typed })
    expect((await onboarder.status(drafted)).tasks[0]).toEqual({ type: 'CompanyDetails', status: 'Open' })
  })
})

describe('the owners', () => {
  let drafted: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => {
    drafted = await opened()
  })
  const validate = async (nobody: boolean | null, ...owners: OwnerInput[]) => {
    const saved = await onboarder.save(drafted, {
      section: 'BeneficialOwners',
      typed: { nobodyOwnsMoreThanAQuarter: nobody, owners },
    })
    return saved.outcome === 'unsound'
      ? saved.validationErrors.map(({ path, fault }) => `${path} ${fault}`)
      : saved.outcome
  }

  test.each<[string, object, string]>([
    ['no name', { name: '' }, 'owners.0.name missing'],
    ['an invalid date', { birthDate: '1971-02-30' }, 'owners.0.birthDate not-a-date'],
    ['a date in words', { birthDate: '14 May 1971' }, 'owners.0.birthDate not-a-date'],
    ['a birth date in the future', { birthDate: '2199-01-01' }, 'owners.0.birthDate not-a-birth-date'],
    ['a birth date long ago', { birthDate: '1871-05-14' }, 'owners.0.birthDate not-a-birth-date'],
    ['no nationality', { nationality: '' }, 'owners.0.nationality missing'],
    ['exactly a quarter', { ownershipPercent: '25' }, 'owners.0.ownershipPercent not-a-share'],
    ['more than 100 %', { ownershipPercent: '101' }, 'owners over-a-hundred'],
    ['words as share', { ownershipPercent: 'half' }, 'owners.0.ownershipPercent not-a-share'],
    ['an unanswered question', { isPoliticallyExposed: null }, 'owners.0.isPoliticallyExposed missing'],
  ])('%s is reported at its path', async (_what, change, validationError) => {
    expect(await validate(false, { ...OWNER, ...change })).toContain(validationError)
  })

  test('are listed, or explicitly none', async () => {
    expect(await validate(false, OWNER)).toBe('saved')
    expect(await validate(true)).toBe('saved')
    expect(await validate(null)).toEqual(['nobodyOwnsMoreThanAQuarter missing'])
    expect(await validate(false)).toEqual(['nobodyOwnsMoreThanAQuarter none'])
    expect(await validate(true, OWNER)).toEqual(['nobodyOwnsMoreThanAQuarter contradicts'])
  })

  test('own no more than 100 % together, and are listed once each', async () => {
    const ola = { ...OWNER, name: 'Ola Hansen', ownershipPercent: 60 }
    expect(await validate(false, { ...OWNER, ownershipPercent: '40.5' }, ola)).toEqual(['owners over-a-hundred'])
    // Their sum as floating-point numbers is 100.00000000000001.
    const shares = [25.03, 40.27, 34.7].map((ownershipPercent, n) => ({
      ...OWNER,
      name: `Owner ${n}`,
      ownershipPercent,
    }))
    expect(await validate(false, ...shares)).toBe('saved')
    const twice = { ...OWNER, name: 'SIGRUN FJELDSTAD', ownershipPercent: 40 }
    expect(await validate(false, { ...OWNER, ownershipPercent: 40 }, twice)).toEqual(['owners.1.name twice'])
  })
})

test.each([
  ['FI', '9900130-1', 'saved'],
  ['NO', BAKERY.organizationNumber, 'unsound'],
])(
  'birth dates are validated by the day in the company’s country, %s',
  async (country, organizationNumber, outcome) => {
    const key = await onboarder.start({ country, organizationNumber })
    await openOnboarding(gateway.context, key)
    // Half past eleven in Oslo, and the next day in Helsinki.
    const at = FIRST_DAY.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: '23:30' }).toInstant()
    const today = (timeZone: string) => at.toZonedDateTimeISO(timeZone).toPlainDate()
    const late = { ...gateway.context, clock: { ...gateway.context.clock, now: () => at, today } }
    const owners = [{ ...OWNER, birthDate: FIRST_DAY.add({ days: 1 }).toString() }]
    const typed = { owners, nobodyOwnsMoreThanAQuarter: false }
    const saved = await openOnboardingDriver({ ...gateway, context: late }).save(key, {
      section: 'BeneficialOwners',
      typed,
    })
    expect(saved.outcome).toBe(outcome)
  },
)

describe('the signers', () => {
  test('are one of the registry’s combinations, whatever else is entered', async () => {
    const key = await opened(HOTEL)
    const typed = { signers: [{ name: 'Sigrun Fjeldstad', birthDate: '1971-05-14', role: 'chair' }] }
    expect(await onboarder.save(key, { section: 'Signers', typed })).toMatchObject({
      outcome: 'unsound',
      validationErrors: [{ path: 'signers', fault: 'not-a-choice' }],
    })
    expect(await onboarder.save(key, { section: 'Signers', typed: { signers: [] } })).toMatchObject({
      outcome: 'unsound',
    })
  })

  test('are entered where no registry has them, each of age and listed once', async () => {
    const key = await onboarder.start({ country: 'NO', organizationNumber: '987654554' })
    await openOnboarding(gateway.context, key)
    const kari = { name: 'Kari Nordmann', birthDate: '1950-01-01', role: null }
    const faults = async (...signers: (typeof kari)[]) => {
      const saved = await onboarder.save(key, { section: 'Signers', typed: { signers } })
      return saved.outcome === 'unsound'
        ? saved.validationErrors.map(({ path, fault }) => `${path} ${fault}`)
        : saved.outcome
    }
    expect(await faults()).toEqual(['signers none'])
    expect(await faults({ ...kari, birthDate: '2015-01-01' })).toEqual(['signers.0.birthDate not-a-birth-date'])
    expect(await faults(kari, kari)).toEqual(['signers.1.name twice'])
    expect(await faults(kari)).toBe('saved')
  })
})

describe('saving', () => {
  test('by two tabs at once: one is saved, the other gets an error, and nothing is overwritten', async () => {
    const key = await opened()
    const tabs = ['one@example.com', 'two@example.com'].map((email) =>
      saveSection(gateway.context, key, { section: 'CompanyDetails', typed: { ...DETAILS, email }, revision: 1 }),
    )
    const outcomes = (await Promise.all(tabs)).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['changed-meanwhile', 'saved'])
    const { sections } = await readAnswers(gateway.context, key)
    expect(sections.CompanyDetails?.email).toBe(`${outcomes[0] === 'saved' ? 'one' : 'two'}@example.com`)
  })

  test('lets a browser read that saves first, and not one again whose trust ended while it saved', async () => {
    const { clock, database } = gateway.context
    for (const trustedAt of [null, clock.now()]) {
      const key = await opened()
      const ids = { partnerId: key.partnerId, id: newId(), onboardingId: key.id, signerId: null }
      const session = {
        ...ids,
        tokenHash: hashToken(newToken()),
        trustedAt: null,
        expiresAt: clock.now().add({ hours: 1 }),
      }
      await insertSession(database, session, clock.now())
      const terms = { section: 'Terms', typed: { accepted: true }, revision: 1 } as const
      expect((await saveSection(gateway.context, key, terms, { ...session, trustedAt })).outcome).toBe('saved')
      const stored = await findSession(database, session, clock.real())
      expect(stored?.trustedAt === null).toBe(trustedAt !== null)
    }
  })

  test('a valid answer that is changed to an invalid one has to be completed again', async () => {
    const key = await opened()
    await onboarder.save(key, { section: 'Terms', typed: { accepted: true } })
    await onboarder.save(key, { section: 'Terms', typed: { accepted: false } })
    expect((await onboarder.status(key)).tasks).toContainEqual({ type: 'Terms', status: 'Open' })
  })

  test('before the url was opened, and after the summary was confirmed, saves nothing', async () => {
    const key = await onboarder.start()
    expect((await onboarder.save(key, { section: 'Terms', typed: { accepted: true } })).outcome).toBe('closed')
    expect(await readAnswers(gateway.context, key)).toEqual(NO_ANSWERS)
    await onboarder.submit(key)
    expect((await onboarder.save(key, { section: 'Terms', typed: { accepted: true } })).outcome).toBe('closed')
  })

  test('keeps names and addresses encrypted', async () => {
    const key = await opened()
    await onboarder.submit(key)
    const { rows } = await gateway.context.database.pool.query(
      `select o::text || (select string_agg(s::text, '') from onboarding_signers s where s.onboarding_id = o.id) as text
      from onboardings o where o.id = $1`,
      [key.id],
    )
    const text = Buffer.from(String(rows[0]?.text)).toString()
    expect(text).toContain(key.id)
    for (const secret of ['post@example.com', 'Fjeldstad', '1971-05-14']) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('the summary', () => {
  test('is confirmed when everything is valid, once, as it was shown', async () => {
    const key = await opened()
    expect((await onboarder.confirm(key)).outcome).toBe('incomplete')
    await onboarder.fill(key)
    const shown = { revision: 3 }
    expect((await submitOnboarding(gateway.context, key, shown)).outcome).toBe('changed-meanwhile')
    const both = await Promise.all([onboarder.confirm(key), onboarder.confirm(key)])
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['closed', 'submitted'])
    expect(await onboarder.signers(key)).toHaveLength(1)
  })
})
