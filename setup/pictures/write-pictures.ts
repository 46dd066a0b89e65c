/** Writes the pictures of the README from a running Havn: its commands with their output, and the console. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { visitBank } from '../../gateway/testing/browser/bank-user.ts'
import { openBrowserUser, startChromium } from '../../gateway/testing/browser/browser-user.ts'
import { ensureChromium } from '../../gateway/testing/debian-packages.ts'
import { openDocumentationShell } from '../../gateway/testing/gateway/documentation-shell.ts'
import { freeStartPorts, startHavn } from '../../gateway/testing/gateway/start-havn.ts'
import { ROOT } from '../source-files.ts'
import { TERMINAL_COLOURS, type TerminalStep, terminalSvg } from './terminal-svg.ts'

const PICTURES = join(ROOT, 'docs', 'pictures')
const README_GATEWAY = 'http://127.0.0.1:8080'
const README_BANK = 'http://127.0.0.1:8081'
/** As wide as the README shows it, with twice the pixels. */
const VIEWPORT = { width: 1280, height: 820 }
const START_LINES_SHOWN = /^(Havn is ready|\s+Open\s)/

await ensureChromium()
await mkdir(PICTURES, { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'havn-pictures-'))
const { settings, url, bankUrl } = await freeStartPorts()
const havn = await startHavn({ ...process.env, ...settings, HAVN_DATA_DIR: join(folder, 'data') })
try {
  const { steps, paymentId } = await payAsInReadme()
  for (const [scheme, colours] of Object.entries(TERMINAL_COLOURS)) {
    await writeFile(join(PICTURES, `terminal-${scheme}.svg`), terminalSvg(steps, colours))
  }
  await takeConsolePictures(paymentId)
} finally {
  await havn.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Runs the blocks of the README, and does in a browser what they say. */
async function payAsInReadme(): Promise<{ readonly steps: readonly TerminalStep[]; readonly paymentId: string }> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, journey = ''] = /^## Pay a supplier\n(.+?)^## /ms.exec(readme) ?? []
  const blocks = [...journey.matchAll(/^\*\*(\d\. .+?)[.,]\*\*.*?^```sh\n(.+?)^```/gms)]
  const shell = await openDocumentationShell()
  const ready = havn
    .printed()
    .split('\n')
    .filter((line) => START_LINES_SHOWN.test(line))
  const steps: TerminalStep[] = [{ typed: 'npm start', printed: ready.map(asInReadme) }]
  for (const [, title = '', block = ''] of blocks) {
    const commands = block.replaceAll(README_GATEWAY, url).replaceAll(README_BANK, bankUrl)
    const printed = await shell.run(commands)
    steps.push({ typed: `# ${title}`, printed: printed.split('\n').map(asInReadme) })
    const [, link] = /^Open: (http\S+)$/m.exec(printed) ?? []
    if (link !== undefined) {
      await visitBank(link)
      const decision = title.includes('consent') ? 'gives access' : 'signs'
      steps.push({ typed: `# The user opens the link, and ${decision} at the bank`, printed: [] })
    }
  }
  const paymentId = await shell.run('echo "$PAYMENT"')
  await shell.close()
  const env = { ...process.env, HAVN_DATA_DIR: join(folder, 'data') }
  const { stdout } = await promisify(execFile)(join(ROOT, 'cli', 'havn'), ['status', paymentId, '--follow'], { env })
  steps.push({ typed: `npx havn status ${paymentId} --follow`, printed: stdout.trimEnd().split('\n') })
  return { steps, paymentId }
}

function asInReadme(line: string): string {
  return line.replaceAll(url, README_GATEWAY).replaceAll(bankUrl, README_BANK)
}

async function takeConsolePictures(paymentId: string): Promise<void> {
  const browser = await startChromium()
  try {
    const { page } = await openBrowserUser(browser)
    await page.setViewportSize(VIEWPORT)
    await page.goto(`${url}/console`)
    await page.getByRole('button', { name: 'Daniel Vik' }).click()
    await page.goto(`${url}/console/payments/${paymentId}`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(PICTURES, `console-${colorScheme}.png`) })
    }
  } finally {
    await browser.close()
  }
}
