/** Runs the commands of the installation page as an operator copies them, in namespaces of their own. */
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'

const PAGE = join(ROOT, 'docs', 'operating', 'installation.md')
const RELEASE = join(ROOT, 'artefacts', 'release')
/** What the commands write. Everything else of the machine can be read there and not be changed for others. */
const WRITTEN = ['/etc', '/opt', '/var', '/usr/local', '/root']
/** Packages are installed before: there is no network in the namespaces. */
const NOT_REPEATED = /^apt-get /

/** The commands below a heading, up to the next heading. */
export function commandsBelow(page: string, heading: string): readonly string[] {
  const [, below = ''] = page.split(`\n${heading}\n`)
  const [section = ''] = below.split(/\n#{2,3} /)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** Returns what the last command printed. */
export async function runInstallationPage(folder: string): Promise<string> {
  await runProgram(
    process.execPath,
    [join(ROOT, 'release', 'release.ts'), '--only-server', '--uncommitted', '--platform', `linux-${process.arch}`],
    { folder: ROOT },
  )
  const archive = (await readdir(RELEASE)).find((name) => name.endsWith('.tar.gz')) ?? ''
  const blocks = commandsBelow(await readFile(PAGE, 'utf8'), '## One host with systemd')
  const lines = blocks
    .join('\n')
    .split('\n')
    .filter((line) => !NOT_REPEATED.test(line))
  const commands = lines.join('\n').replaceAll(/havn-\d+\.\d+\.\d+-linux-x64\.tar\.gz/g, archive)
  await mkdir(folder, { recursive: true })
  const script = join(folder, 'installation.sh')
  await writeFile(script, `${prologue(folder)}\n${commands}\nhavn-operator doctor --offline || true\n`)
  await chmod(script, 0o755)
  // What runs in a namespace of processes ends with its first one.
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  const printed = await runProgram('unshare', [...namespaces, 'bash', script], { folder: RELEASE })
  await writeFile(join(folder, 'installation.log'), printed)
  if (!printed.includes('"access_token"')) {
    throw new Error(`The last command printed no token:\n${printed.slice(-3_000)}`)
  }
  return `${lines.filter((line) => line !== '').length} lines of commands, up to a token over TLS`
}

/** Folders that can be written, an own loopback network, the name of the page, and the stand-in for `systemctl`. */
function prologue(folder: string): string {
  const node = process.execPath
  return `set -euo pipefail
mount -t tmpfs tmpfs ${folder}
for path in ${WRITTEN.join(' ')}; do
  mkdir -p ${folder}$path/upper ${folder}$path/work
  mount -t overlay overlay -o lowerdir=$path,upperdir=${folder}$path/upper,workdir=${folder}$path/work $path
done
mount -t tmpfs tmpfs /run
install -d -o postgres -g postgres /run/postgresql
ip link set lo up
echo '127.0.0.1 havn.example' >> /etc/hosts
printf '#!/bin/sh\\nexec ${node} ${join(ROOT, 'deploy', 'trial', 'systemctl.ts')} "$@"\\n' > /usr/local/bin/systemctl
chmod +x /usr/local/bin/systemctl
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin CURL_CA_BUNDLE=/run/havn-ca.crt
unset DATABASE_URL
set -x`
}
