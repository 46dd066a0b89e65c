/** Plays a user in a real browser: Chromium on an empty profile, with a picture and a judgement of every page seen. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { faultsOfFocus, faultsOfPage } from './accessibility-checks.ts'
import { faultsByAxe, faultsOfCopyByAxe } from './axe-violations.ts'
import { findChromium } from './find-chromium.ts'

/** How the user's browser is. */
export type VisitorOptions = {
  readonly javaScript?: boolean
  /** What the browser says that its user reads, by BCP 47. */
  readonly language?: string
  /** Pictures go into a folder of this name, when the tests are asked for them; without one none are taken. */
  readonly album?: string
}

/** A user at a browser of their own. */
export type Visitor = {
  readonly page: Page
  /**
   * Holds the page to our rules, and takes its picture, as phone and desktop show it by day and by night; and to those of
   * axe-core on the phone, where a selector may say to which parts of a long page its rules of colours hold.
   */
  look(name: string, coloursOf?: string): Promise<void>
  /** The same by day alone and without axe-core, for a translation: it has the structure and the colours of its original. */
  fit(name: string): Promise<void>
  /** Presses Tab until the control of this name has the focus, and fails when it is out of reach or the focus unseen. */
  tabTo(control: Locator): Promise<void>
  /** What the browser complained about: errors, broken policies, pages that do not hold to the rules. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

const ALBUMS = fileURLToPath(new URL('../../artefacts/screenshots/', import.meta.url))
/** They are for people to look at, and take as long as everything that is checked. */
export const ARE_PICTURES_WANTED = process.env['HAVN_SCREENSHOTS'] !== '0'
const PHONE = { width: 390, height: 844 }
/** The phone last: it is what users have, and what the test goes on with. */
const DEVICES = { desktop: { width: 1280, height: 800 }, phone: PHONE }
const COLOUR_SCHEMES = ['dark', 'light'] as const
/** Nothing that the browser does by itself may reach the network or ask a question. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** A page that is sound shows what is waited for sooner; one that is not should say what was missing. */
const WAIT_MILLISECONDS = 15_000
/** No page has more controls than this. */
const TABS_MAX = 45

/** Starts the browser; every visitor in it is a stranger to the others. */
export async function startChromium(): Promise<Browser> {
  const executablePath = await findChromium()
  if (executablePath === undefined) {
    throw new Error('The journeys through a browser need Chromium: apt-get install chromium')
  }
  // Without a locale it finds no file whose name is beyond ASCII.
  return await chromium.launch({ executablePath, args: SWITCHES, env: { ...process.env, LANG: 'C.UTF-8' } })
}

/** A new user. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { javaScript = true, language = 'en-GB' } = options
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: javaScript, locale: language })
  context.setDefaultTimeout(WAIT_MILLISECONDS)
  const page = await context.newPage()
  const complaints: string[] = []
  listen(page, complaints)
  return {
    page,
    complaints,
    look: async (name, coloursOf) => {
      complaints.push(...(await faultsInForms(page, COLOUR_SCHEMES, { album: options.album, name })))
      const faults = await (javaScript ? faultsByAxe : faultsOfCopyByAxe)(page, coloursOf)
      complaints.push(...faults.map((fault) => `${name}, ${fault}`))
    },
    fit: async (name) => {
      complaints.push(...(await faultsInForms(page, ['light'], { album: options.album, name })))
    },
    tabTo: (control) => tabTo(page, control),
    close: () => context.close(),
  }
}

async function faultsInForms(
  page: Page,
  schemes: readonly ('dark' | 'light')[],
  { album, name }: { readonly album: string | undefined; readonly name: string },
): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      const faults = await faultsOfPage(page)
      complaints.push(...faults.map((fault) => `${name}, ${device}, ${colorScheme}: ${fault}`))
      await takePicture(page, { album, name: `${name}-${colorScheme}-${device}`, fullPage: true })
    }
  }
  return complaints
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // A refused status is what some pages are about; the browser tells it as an error all the same.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`)
    }
  })
}

/** Takes a picture into an album, when the tests are asked for pictures. */
export async function takePicture(
  page: Page,
  { album, name, fullPage }: { readonly album: string | undefined; readonly name: string; readonly fullPage: boolean },
): Promise<void> {
  if (album !== undefined && ARE_PICTURES_WANTED) {
    const folder = join(ALBUMS, album)
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage, caret: 'initial' })
  }
}

async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab')
    const faults = await faultsOfFocus(page)
    if (faults.length > 0) {
      throw new Error(faults.join('\n'))
    }
    if (await control.evaluate((element) => element.matches(':focus'))) {
      return
    }
  }
  throw new Error(`The Tab key does not lead to ${control}`)
}
