/** Simulates a user in Chromium with an empty profile, and checks every page for accessibility. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { CONTRAST_CHECK, focusErrors, PAGE_CHECKS, TEXT_KINDS } from './accessibility-checks.ts'
import { axeViolations, isCheckedByAxe } from './axe-violations.ts'
import { isOfCheckedKinds } from './checked-kinds.ts'
import { checkPage } from './evaluate-in-page.ts'
import { findChromium } from './find-chromium.ts'
import { DESKTOP, LAYOUT_CHECK, OTHER_SIZES, PHONE, resize, TEXT_CHECK } from './layout-checks.ts'

export type BrowserUserOptions = {
  readonly javaScript?: boolean
  /** The browser's language (BCP 47). */
  readonly language?: string
  /** Folder of the screenshots, which are taken only on request; without it there are none. */
  readonly album?: string
  /**
   * Every page is laid out on both devices. No menu is open, which would cover controls; axe-core runs on a desktop, where
   * more is visible.
   */
  readonly everyPage?: boolean
  /** The kinds of elements that were checked; by default those of the process. */
  readonly checkedKinds?: Set<string>
}

export type BrowserUser = {
  readonly page: Page
  /**
   * Checks the page and takes screenshots on phone and desktop, in light and dark mode, and with axe-core on the phone.
   * What has only elements of kinds that were checked before is checked on the phone in light mode, unless the run is a
   * long one. A selector may limit the check of contrasts by axe-core on a long page.
   */
  look(name: string, contrastsOf?: string): Promise<void>
  /** The same in light mode and without axe-core, for translations: structure and colours do not differ. */
  fit(name: string): Promise<void>
  /** Presses Tab until the named control has the focus. Throws when it is not reachable or the focus is not visible. */
  tabTo(control: Locator): Promise<void>
  /** Errors, violations of the content security policy, and faults of pages. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

const ALBUMS = fileURLToPath(new URL('../../../artefacts/screenshots/', import.meta.url))
/** Screenshots are for manual review; they take as long as all checks. */
const SCREENSHOTS_ENABLED = process.env['HAVN_SCREENSHOTS'] === '1'
const DEVICES = { desktop: DESKTOP, phone: PHONE }
/** Resizing a window and changing its colours takes longer than loading a page. */
export const IS_AT_LENGTH = SCREENSHOTS_ENABLED || OTHER_SIZES.length > 0
/** A desktop shows what a phone shows, but for the buttons of its menu and filters. */
export const DARK_DEVICES: readonly (keyof typeof DEVICES)[] = IS_AT_LENGTH ? ['desktop', 'phone'] : ['desktop']
/** Disables the browser's own network requests and dialogs. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each further process of a browser takes processor time to start.
  '--in-process-gpu',
  // A new frame for each document takes a third of the time of a navigation; only a crashed page needs one.
  '--enable-features=NetworkServiceInProcess2,RenderDocument:level/crashed-frame',
  // No script of a page runs long enough to gain from being optimised.
  '--js-flags=--no-opt --no-maglev',
]
/** Long enough for any working page on a busy machine; a failure shows what is missing. */
const WAIT_MILLISECONDS = 60_000
/** No page has more controls than this. */
const TABS_MAX = 45

let shared: Promise<Browser> | undefined

/** The browser of this process: starting one for each file takes as long as ten pages. It ends with the process. */
export async function sharedChromium(): Promise<Browser> {
  shared ??= startChromium()
  const browser = await shared
  if (browser.isConnected()) {
    return browser
  }
  shared = startChromium()
  return await shared
}

/** Starts a browser; its users have separate contexts. */
export async function startChromium(): Promise<Browser> {
  const executablePath = await findChromium()
  if (executablePath === undefined) {
    throw new Error('Browser journeys need Chromium: apt-get install chromium-headless-shell')
  }
  // Without a locale Chromium does not find files with non-ASCII names.
  return await chromium.launch({ executablePath, args: SWITCHES, env: { ...process.env, LANG: 'C.UTF-8' } })
}

export async function openBrowserUser(browser: Browser, options: BrowserUserOptions = {}): Promise<BrowserUser> {
  const { javaScript = true, language = 'en-GB' } = options
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: javaScript, locale: language })
  context.setDefaultTimeout(WAIT_MILLISECONDS)
  const page = await context.newPage()
  const complaints: string[] = []
  listen(page, complaints)
  return {
    page,
    complaints,
    look: async (name, contrastsOf) => {
      const isNew = !(await isOfCheckedKinds(page, TEXT_KINDS, options.checkedKinds))
      complaints.push(...(await faultsAtSizes(page, name, { ...options, isNew, dark: isNew || IS_AT_LENGTH })))
      if (await isCheckedByAxe(page, options.checkedKinds)) {
        return
      }
      if (options.everyPage === true) {
        await resize(page, DESKTOP)
      }
      const faults = await axeViolations(page, contrastsOf)
      complaints.push(...faults.map((fault) => `${name}, ${fault}`))
    },
    fit: async (name) => {
      complaints.push(...(await faultsAtSizes(page, name, { ...options, isNew: false, dark: false })))
    },
    tabTo: (control) => tabTo(page, control),
    close: () => context.close(),
  }
}

type LookOptions = Pick<BrowserUserOptions, 'album' | 'everyPage'> & {
  /** It has more room on a desktop: what was laid out there once is in its place. */
  readonly isNew: boolean
  /** In dark mode, too: only contrasts differ there. */
  readonly dark: boolean
}

/** The faults of the page, whose window is only resized. The test continues with the last size, in light mode. */
async function faultsAtSizes(page: Page, name: string, options: LookOptions): Promise<readonly string[]> {
  const { album, isNew, dark, everyPage = false } = options
  // The test of every page checks those of the console, whose menus are closed there.
  const isLaidOut = everyPage || !new URL(page.url()).pathname.startsWith('/console')
  const complaints: string[] = []
  const check = async (shown: string, checks: readonly string[]) =>
    complaints.push(...(await checkPage(page, checks)).map((fault) => `${name}, ${shown}: ${fault}`))
  for (const size of isLaidOut ? OTHER_SIZES : []) {
    await resize(page, size)
    await check(`${size.width} px`, [LAYOUT_CHECK])
  }
  for (const device of devicesOf(page, everyPage, isNew)) {
    await resize(page, DEVICES[device])
    if (dark && DARK_DEVICES.includes(device)) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await check(`${device}, dark`, [CONTRAST_CHECK])
      await takeScreenshot(page, { album, name: `${name}-dark-${device}`, fullPage: true })
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await check(device, [...PAGE_CHECKS, isLaidOut ? LAYOUT_CHECK : TEXT_CHECK])
    await takeScreenshot(page, { album, name: `${name}-light-${device}`, fullPage: true })
  }
  return complaints
}

/** In the order of the checks: for every page the size that it has first, otherwise the phone last. */
function devicesOf(page: Page, everyPage: boolean, isNew: boolean): readonly (keyof typeof DEVICES)[] {
  if (everyPage && page.viewportSize()?.width === PHONE.width) {
    return ['phone', 'desktop']
  }
  if (everyPage) {
    return ['desktop', 'phone']
  }
  return isNew || IS_AT_LENGTH ? ['desktop', 'phone'] : ['phone']
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // Some pages have an error status on purpose, which the browser reports as an error.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`)
    }
  })
}

export async function takeScreenshot(
  page: Page,
  { album, name, fullPage }: { readonly album: string | undefined; readonly name: string; readonly fullPage: boolean },
): Promise<void> {
  if (album !== undefined && SCREENSHOTS_ENABLED) {
    const folder = join(ALBUMS, album)
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage, caret: 'initial' })
  }
}

async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab')
    const faults = await focusErrors(page)
    if (faults.length > 0) {
      throw new Error(faults.join('\n'))
    }
    if (await control.evaluate((element) => element.matches(':focus'))) {
      return
    }
  }
  throw new Error(`The control ${control} is not reachable with the Tab key`)
}
