/** Defines the content of a documentation page, without the layout that all pages share. */

export type PageContent = {
  readonly title: string
  /** One sentence, for search engines and the list of pages. */
  readonly description: string
  /** The markup of the main part. */
  readonly main: string
}
