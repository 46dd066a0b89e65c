/** Tests the hosted flow in browsers: what a link does, who sees what, and that no input is lost. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { setBusinessTime } from '../../platform/database/business-clock-store.ts'
import { type FormBrowser, openFormBrowser } from '../../testing/browser/form-browser.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import { BAKERY, HOTEL, openOnboardingDriver } from '../testing/onboarding-driver.ts'

const HOSTILE = { country: 'NO', organizationNumber: '987654511' } as const
const BACK = 'https://erp.example/back?keep=%20a+1'
const COMPANY = {
  'address.streetName': 'Storgata 1',
  'address.postCode': '0155',
  'address.city': 'Oslo',
  'address.country': 'NO',
  email: 'post@example.com',
  phone: '+47 22 33 44 55',
}

let gateway: TestGateway
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  gateway = await startTestGateway()
  onboarder = openOnboardingDriver(gateway)
})
afterAll(() => gateway.close())

type Started = Awaited<ReturnType<typeof start>>

/** An onboarding whose users are on its first page. */
async function start(requested: Parameters<typeof onboarder.start>[0] = { ...BAKERY, redirectUrl: BACK }) {
  const { url, ...key } = await onboarder.start(requested)
  const browser = openFormBrowser(gateway)
  await browser.open(url)
  const path = `/onboarding/${key.partnerId}/${key.id}`
  return { browser, key: { ...key, url }, link: url.slice(gateway.url.length), path }
}

async function begun(requested?: Parameters<typeof onboarder.start>[0]): Promise<Started> {
  const started = await start(requested)
  await started.browser.send(started.link)
  return started
}

async function write({ browser, path }: Started): Promise<void> {
  await browser.send(`${path}/company`, COMPANY)
  await browser.send(`${path}/owners`, { nobodyOwnsMoreThanAQuarter: 'yes' })
  await browser.send(`${path}/signers`, { combination: '0' })
  await browser.send(`${path}/terms`, { accepted: 'yes' })
}

const headingOf = ({ html }: { readonly html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

describe('the link', () => {
  it('is not used up by reading it, with any method', async () => {
    const { browser, key, link } = await start()
    expect(headingOf(browser.page())).toBe('Get started with Demo partner')
    expect((await fetch(`${gateway.url}${link}`, { method: 'HEAD' })).status).toBe(200)
    expect((await browser.open(link, { 'sec-purpose': 'prefetch' })).status).toBe(503)
    expect(await onboarder.status(key)).toMatchObject({ status: 'Created', organizationName: null })
  })

  it('opens the onboarding with its button, and continues with the first section', async () => {
    const { browser, key, path } = await begun()
    expect(browser.page()).toMatchObject({ status: 200, place: `${path}/company` })
    expect(browser.page().html).toMatch(/<dd>NO \d{3}\u00a0\d{3}\u00a0\d{3}</)
    expect(await onboarder.status(key)).toMatchObject({ status: 'AwaitingCustomerAction' })
  })

  it('can be pressed twice, and in two tabs', async () => {
    const { browser, link, path } = await start()
    const other = browser.tab()
    await other.open(link)
    const both = await Promise.all([browser.send(link), other.send(link)])
    expect(both.map(({ place }) => place)).toEqual([`${path}/company`, `${path}/company`])
  })

  it('opens nothing with another token, another id, or those of another partner', async () => {
    const { browser, key, link } = await start()
    for (const wrong of [
      `${link}x`,
      link.replace(key.id, key.partnerId),
      link.replace(key.partnerId, key.id),
      '/onboarding/a/b/c',
    ]) {
      const page = await browser.open(wrong)
      expect([page.status, headingOf(page)]).toEqual([404, 'This link does not work'])
    }
  })

  it('is in no log line', async () => {
    const { link } = await begun()
    const token = link.split('/').at(-1) ?? ''
    expect(token).toHaveLength(43)
    expect(gateway.logLines().filter((line) => line.includes(token))).toEqual([])
  })
})

describe('a visit', () => {
  it('extends the onboarding by 24 hours, also when nothing is saved; after the deadline it revives none', async () => {
    const { context } = gateway
    const [visited, late] = [await begun(), await begun()]
    const { url: unopened, ...key } = await onboarder.start()
    const unvisited = await onboarder.start()
    const day = context.clock.now().add({ hours: 24 })
    const moveTo = (minutes: number) => setBusinessTime(context.database, context.clock, day.add({ minutes }))
    try {
      await moveTo(-1)
      await visited.browser.open(`${visited.path}/owners`)
      // No sweep has expired the others yet.
      await moveTo(1)
      const other = openFormBrowser(gateway)
      await other.open(unopened)
      const pages = [await late.browser.send(`${late.path}/company`, COMPANY), other.page()]
      expect(pages.map(headingOf)).toEqual(['The onboarding has expired', 'The onboarding has expired'])
      expect((await visited.browser.send(`${visited.path}/company`, COMPANY)).place).toBe(`${visited.path}/owners`)
      expect((await gateway.client.cancelOnboarding({ params: unvisited })).status).toBe('Expired')
      const statuses = [visited.key, late.key, key].map(async (each) => (await onboarder.status(each)).status)
      expect(await Promise.all(statuses)).toEqual(['AwaitingCustomerAction', 'Expired', 'Expired'])
    } finally {
      await moveTo(-24 * 60)
    }
  })
})

describe('saved answers', () => {
  it('are shown to no other browser, also where no browser saved them or none of those that did is left', async () => {
    const { key, path } = await begun()
    await onboarder.save(key, { section: 'Terms', typed: { accepted: true } })
    const stranger = openFormBrowser(gateway)
    await stranger.open(key.url)
    expect((await stranger.send(key.url.slice(gateway.url.length))).place).toBe(`${path}/elsewhere`)
  })

  it('are shown to a browser that saved, and of two at once to the first one', async () => {
    const { browser, key, link, path } = await begun()
    const other = openFormBrowser(gateway)
    await other.open(link)
    await other.send(link)
    const both = await Promise.all([browser, other].map((one) => one.send(`${path}/company`, COMPANY)))
    expect(both.map(({ place }) => place).toSorted()).toEqual([`${path}/elsewhere`, `${path}/owners`])
    const text =
      'select count(*)::int as trusted from onboarding_sessions where onboarding_id = $1 and trusted_at is not null'
    expect((await gateway.context.database.pool.query(text, [key.id])).rows).toEqual([{ trusted: 1 }])
  })
})

describe('every page', () => {
  it('forbids scripts, frames, caches and referrers', async () => {
    const { browser, path } = await begun()
    for (const page of ['company', 'owners', 'signers', 'terms', 'later', 'stop']) {
      const { headers, status } = await browser.open(`${path}/${page}`)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' [^;]*https:\/\/erp\.example; frame-ancestors 'none'; base-uri 'none'$/,
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('is only for the browser that used the link', async () => {
    const { path } = await begun()
    const stranger = openFormBrowser(gateway)
    for (const page of ['continue', 'company', 'summary', 'signatures', 'documents', 'result', 'stop']) {
      expect((await stranger.open(`${path}/${page}`)).status).toBe(403)
    }
  })

  it('protects its cookie from scripts and other sites, and limits it to its own onboarding', async () => {
    const { browser, key, path } = await start()
    expect(browser.page().headers.get('set-cookie')).toMatch(
      new RegExp(`^havn_onboarding_${key.id}=[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Lax$`),
    )
  })
})

describe('a form', () => {
  it.each([
    ['without a token', { formToken: '' }],
    ['with another token', { formToken: 'x'.repeat(43) }],
  ])('%s changes nothing', async (_name, changed) => {
    const { browser, key, path } = await begun()
    const page = await browser.send(`${path}/company`, { ...COMPANY, ...changed })
    expect([page.status, headingOf(page)]).toEqual([403, 'This page has expired'])
    expect((await readAnswers(gateway.context, key)).sections).toEqual({})
    await browser.open(`${path}/stop`)
    expect((await browser.send(`${path}/stop`, changed)).status).toBe(403)
    expect((await onboarder.status(key)).status).toBe('AwaitingCustomerAction')
  })

  it('of another session changes nothing', async () => {
    const [one, other] = [await begun(), await begun(HOTEL)]
    const page = await other.browser.send(`${one.path}/company`, COMPANY)
    expect(page.status).toBe(403)
    expect((await readAnswers(gateway.context, one.key)).sections).toEqual({})
  })

  it('of the start page is rejected from a browser that was not shown it', async () => {
    const { key, link } = await start()
    const page = await openFormBrowser(gateway).post(link, new URLSearchParams({ formToken: 'x'.repeat(43) }))
    expect(page.status).toBe(403)
    expect((await onboarder.status(key)).status).toBe('Created')
  })

  it('that is larger than any of ours is rejected with a page', async () => {
    const { browser, path } = await begun()
    const page = await browser.send(`${path}/company`, { ...COMPANY, email: 'x'.repeat(70_000) })
    expect([page.status, headingOf(page)]).toEqual([413, 'Please correct the following'])
  })

  it('with unexpected fields breaks nothing', async () => {
    const { browser, path } = await begun()
    for (const body of ['', 'a=b', '[1]', '%00%ff', 'owners.0.name=x&owners.0.name=y&do=remove.99999']) {
      for (const page of ['company', 'owners', 'signers', 'terms', 'summary', 'stop', 'identify', 'documents']) {
        const { status } = await browser.post(`${path}/${page}`, new URLSearchParams(body))
        expect([403, 415], `${page} with ${body}`).toContain(status)
      }
    }
  })
})

describe('an answer', () => {
  it('is shown again next to its error, and is still there the next day', async () => {
    const { browser, path } = await begun()
    const page = await browser.send(`${path}/company`, { ...COMPANY, email: 'nobody', phone: '' })
    expect(page.status).toBe(422)
    expect(page.html).toContain('<a href="#field-email">E-mail address: Enter an e-mail address')
    expect(page.html).toMatch(/<input type="email" id="field-email" [^>]*value="nobody"[^>]*aria-invalid="true">/)
    expect(page.html).toContain('value="Storgata 1"')
    const later = await browser.tab().open(`${path}/company`)
    expect(later.html).toContain('value="nobody"')
    expect((await browser.open(`${path}/summary`)).place).toBe(`${path}/company`)
  })

  it('is saved as entered, and the next section follows', async () => {
    const started = await begun()
    await write(started)
    expect(started.browser.page().place).toBe(`${started.path}/summary`)
    const { sections } = await readAnswers(gateway.context, started.key)
    expect(sections.CompanyDetails).toMatchObject({ email: 'post@example.com', address: { city: 'Oslo' } })
    expect(sections.Signers?.signers).toHaveLength(1)
    expect(started.browser.page().html).toContain('post@example.com')
  })

  it('is never markup, neither the registry’s name of the company nor user input', async () => {
    const started = await begun(HOSTILE)
    const words = '"><script>alert(1)</script>'
    await started.browser.send(`${started.path}/company`, { ...COMPANY, 'address.city': words, email: words })
    expect(started.browser.page().status).toBe(422)
    const pages = [started.browser.page().html]
    await write(started)
    for (const page of ['company', 'owners', 'signers', 'terms', 'summary']) {
      pages.push((await started.browser.open(`${started.path}/${page}`)).html)
    }
    expect(pages.join('')).toContain('&#60;script&#62;alert(&#34;Hei&#34;)&#60;/script&#62;')
    expect(pages.join('')).not.toMatch(/<script|<img|onerror=/)
  })

  it('keeps its position when persons are added and removed', async () => {
    const { browser, path } = await begun()
    await browser.send(`${path}/company`, COMPANY)
    const first = {
      'owners.0.name': 'Kari Nordmann',
      'owners.0.ownershipPercent': '33,5',
      'owners.0.birthDate': '1.2.1980',
    }
    await browser.send(`${path}/owners`, { ...first, do: 'add' })
    expect(browser.page().html).toMatch(/name="owners.0.name" value="Kari Nordmann"/)
    expect(browser.page().html).toMatch(/name="owners.0.birthDate" value="01.02.1980"/)
    expect(browser.page().html).toMatch(/name="owners.1.name" value=""/)
    await browser.send(`${path}/owners`, { ...first, 'owners.1.name': 'Ola', do: 'remove.0' })
    expect(browser.page().html).toMatch(/name="owners.0.name" value="Ola"/)
    expect(browser.page().html).not.toContain('Kari Nordmann')
  })
})

describe('the switch of the language', () => {
  const languageOf = ({ html }: { readonly html: string }) => /<html lang="(\w+)">/.exec(html)?.[1]

  it('shows the same page in the language, and then every page, whatever the browser accepts', async () => {
    const { browser, link, path } = await start()
    expect(browser.page().html).toContain('<a href="?language&#61;sv" lang="sv" hreflang="sv">Svenska</a>')
    const switched = await browser.open(`${link}?language=sv`, { 'accept-language': 'fi' })
    expect([languageOf(switched), switched.headers.get('set-cookie')]).toEqual([
      'sv',
      'havn_language=sv; Path=/; HttpOnly; SameSite=Lax',
    ])
    const next = await browser.send(link)
    expect([next.place, languageOf(next)]).toEqual([`${path}/company`, 'sv'])
    expect(languageOf(await browser.open(`${path}/later`, { 'accept-language': 'fi' }))).toBe('sv')
  })

  it('keeps what was typed, right or wrong, and continues to no other section', async () => {
    const { browser, path } = await begun()
    expect(browser.page().html).toMatch(/<button type="submit" class="plain" form="section" name="language" value="fi"/)
    const wrong = { ...COMPANY, email: 'nobody' }
    for (const [typed, language] of [
      [wrong, 'fi'],
      [COMPANY, 'da'],
    ] as const) {
      const page = await browser.send(`${path}/company`, { ...typed, language })
      expect([page.status, page.place, languageOf(page)]).toEqual([
        200,
        `${path}/company?language=${language}`,
        language,
      ])
      expect(page.html).toContain(`value="${typed.email}"`)
    }
    expect(languageOf(await browser.send(`${path}/company`, wrong))).toBe('da')
  })

  it('accepts no terms and confirms no summary', async () => {
    const started = await begun()
    await write(started)
    for (const page of ['terms', 'summary']) {
      const { html } = await started.browser.open(`${started.path}/${page}`)
      expect(html).toContain('<a href="?language&#61;fi"')
      expect(html).not.toContain('name="language"')
    }
  })

  it('shows a signer’s new link again, which only the browser has, and no other', async () => {
    const started = await begun()
    await write(started)
    const { browser, key, path } = started
    await browser.send(`${path}/summary`)
    const [signer] = await onboarder.signers(key)
    const linkOf = ({ html }: { readonly html: string }) => /<p class="link">(.*?)<\/p>/.exec(html)?.[1]
    const made = linkOf(await browser.send(`${path}/signatures/${signer?.id}/link`))
    expect(made).toContain(path)
    const again = await browser.send(`${path}/signatures/${signer?.id}/shown`, { language: 'fi' })
    expect([linkOf(again), languageOf(again)]).toEqual([made, 'fi'])
    const forged = { language: 'nb', address: `${made?.slice(0, -4)}xxxx` }
    const other = await browser.send(`${path}/signatures/${signer?.id}/shown`, forged)
    expect([other.place, linkOf(other), languageOf(other)]).toEqual([`${path}/signatures`, undefined, 'fi'])
  })

  it('begins with that of the company’s country for a browser that accepts none of ours', async () => {
    const { browser, link } = await start()
    expect(languageOf(await browser.open(link, { 'accept-language': 'de' }))).toBe('nb')
  })

  it('leads from the result of a form to a page that can be read', async () => {
    const { browser, path } = await begun()
    for (const form of ['documents/done', 'identify', 'signatures/change']) {
      const page = await browser.open(`${path}/${form}?language=nb`)
      expect([page.status, page.place, languageOf(page)]).toEqual([200, `${path}/company`, 'nb'])
    }
  })
})

describe('two tabs', () => {
  it('do not overwrite each other: the later one sees the saved answers, and may then decide', async () => {
    const { browser, key, path } = await begun()
    const other = browser.tab()
    await other.open(`${path}/company`)
    await browser.send(`${path}/company`, COMPANY)
    const page = await other.send(`${path}/company`, { ...COMPANY, 'address.city': 'Bergen' })
    expect(page.status).toBe(409)
    expect(page.html).toContain('This page has been saved in another window')
    expect(page.html).toContain('value="Bergen"')
    expect((await readAnswers(gateway.context, key)).sections.CompanyDetails?.address.city).toBe('Oslo')
    await other.send(`${path}/company`, { ...COMPANY, 'address.city': 'Bergen' })
    expect((await readAnswers(gateway.context, key)).sections.CompanyDetails?.address.city).toBe('Bergen')
  })

  it('may send the same form twice, like a double click', async () => {
    const { browser, path } = await begun()
    const other = browser.tab()
    await other.open(`${path}/company`)
    const typed = { ...COMPANY, phone: '(+47) 22 33-44-55' }
    const both = await Promise.all([browser, other].map((tab) => tab.send(`${path}/company`, typed)))
    expect(both.map(({ place }) => place)).toEqual([`${path}/owners`, `${path}/owners`])
  })

  it('confirm only what was shown', async () => {
    const started = await begun()
    await write(started)
    const other = started.browser.tab()
    await other.open(`${started.path}/company`)
    await other.send(`${started.path}/company`, { ...COMPANY, phone: '+47 99 88 77 66' })
    const page = await started.browser.send(`${started.path}/summary`)
    expect(page.status).toBe(409)
    expect(page.html).toContain('+47 99 88 77 66')
    const { tasks } = await onboarder.status(started.key)
    expect(tasks.find(({ type }) => type === 'Summary')?.status).toBe('Open')
  })
})

describe('another browser with the same link', () => {
  const visit = async (link: string): Promise<FormBrowser> => {
    const other = openFormBrowser(gateway)
    await other.open(link)
    await other.send(link)
    return other
  }

  it('continues where nothing is saved yet', async () => {
    const { link, path } = await begun()
    const other = await visit(link)
    expect(other.page().place).toBe(`${path}/company`)
  })

  it('sees the progress, and no saved answers', async () => {
    const started = await begun()
    await write(started)
    const other = await visit(started.link)
    expect(other.page().place).toBe(`${started.path}/elsewhere`)
    expect(headingOf(other.page())).toBe('Started in another browser')
    for (const page of ['company', 'owners', 'signers', 'summary', 'signatures']) {
      const seen = await other.open(`${started.path}/${page}`)
      expect(seen.place).toBe(`${started.path}/elsewhere`)
      expect(seen.html).not.toMatch(/example\.com|22 33 44 55|Storgata/)
    }
    const before = await readAnswers(gateway.context, started.key)
    await other.send(`${started.path}/company`, { ...COMPANY, email: 'thief@example.com' })
    expect(await readAnswers(gateway.context, started.key)).toEqual(before)
  })
})

test('leaving keeps everything, and the same link resumes', async () => {
  const { browser, key, link, path } = await begun()
  await browser.send(`${path}/company`, COMPANY)
  const left = await browser.open(`${path}/later`)
  expect(headingOf(left)).toBe('Everything is saved')
  await browser.open(link)
  expect(browser.page().html).toContain('>Continue</button>')
  await browser.send(link)
  expect(browser.page().place).toBe(`${path}/owners`)
  expect((await onboarder.status(key)).status).toBe('AwaitingCustomerAction')
})

describe('cancelling the onboarding', () => {
  it('needs a confirmation, and redirects to the partner', async () => {
    const { browser, key, link, path } = await begun()
    expect(headingOf(await browser.open(`${path}/stop`))).toBe('Cancel the onboarding?')
    const page = await browser.send(`${path}/stop`)
    expect(page.place).toBe(`${BACK}&status=cancelled`)
    expect((await onboarder.status(key)).status).toBe('Cancelled')
    expect(headingOf(await browser.open(link))).toBe('The onboarding was cancelled')
  })

  it('ends on a page where the partner gave no redirect URL', async () => {
    const { browser, path } = await begun(HOTEL)
    await browser.open(`${path}/stop`)
    expect(headingOf(await browser.send(`${path}/stop`))).toBe('The onboarding was cancelled')
  })
})

test.each([
  ['Expired', 'The onboarding has expired'],
  ['Rejected', 'We cannot serve this company'],
])('an onboarding that is %s says so on every page', async (status, heading) => {
  const started = await begun()
  const { pool } = gateway.context.database
  const set = 'update onboardings set status = $1, status_reason = $2, due_at = null where id = $3'
  await pool.query(set, [status, status === 'Rejected' ? 'RiskEvaluation' : null, started.key.id])
  for (const page of ['continue', 'company', 'summary', 'signatures', 'documents']) {
    expect(headingOf(await started.browser.open(`${started.path}/${page}`))).toBe(heading)
  }
  expect(headingOf(await started.browser.open(started.link))).toBe(heading)
})
