/** Extends the path by the folders of programs that Debian has for root only. */

/** Also for what this process starts. */
export function extendPath(): void {
  process.env['PATH'] = `${process.env['PATH']}:/usr/sbin:/sbin`
}
