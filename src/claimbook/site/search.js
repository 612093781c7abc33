;(() => {
  // Appended to the theme's search worker. The stock search appends `*` to each word, and a word with a
  // wildcard skips the stemmers: inflected Russian forms find nothing. Here each word is indexed with its
  // stem as well, under a mark of its own so that stems never show as suggestions.
  const lunr = self.lunr
  if (!lunr || !lunr.Builder) return
  const MARK = "\u2248"
  const plain = word => word.replace(/ё/g, "е")
  const stem = word => {
    const stemmer = /[\u0400-\u04ff]/.test(word) ? lunr.ru && lunr.ru.stemmer : lunr.stemmer
    return MARK + (stemmer ? stemmer(new lunr.Token(plain(word), {})).toString() : word)
  }
  const withStem = token => {
    const word = token.toString()
    const tokens = [token]
    if (word !== plain(word)) tokens.push(token.clone(plain))
    if (/^[\p{L}-]{3,}$/u.test(word)) tokens.push(token.clone(stem))
    return tokens
  }
  lunr.Pipeline.registerFunction(withStem, "withStem")
  const add = lunr.Builder.prototype.add
  lunr.Builder.prototype.add = function (document, attributes) {
    if (!this.claimbook) {
      this.claimbook = true
      this.pipeline.add(withStem)
      this.searchPipeline.add(withStem)
    }
    return add.call(this, document, attributes)
  }
  const search = lunr.Index.prototype.search
  lunr.Index.prototype.search = function (query) {
    const words = query.split(/\s+/).filter(term => /^[^+\-~^:*\s]+\*$/.test(term)).map(term => term.slice(0, -1).toLowerCase())
    const required = []
    const asked = query.replace(/(^|\s)\+([\p{L}-]{3,})(?=\s|$)/gu, (_, before, word) => {
      required.push(word.toLowerCase())
      return `${before}+${stem(word.toLowerCase())}`
    })
    const results = search.call(this, [asked, ...words].join(" "))
    // The page shows a word as missing unless the match names it in the form that was asked for.
    for (const { matchData: { metadata } } of results) {
      for (const word of [...words, ...required]) {
        if (metadata[stem(word)] || metadata[plain(word)]) metadata[word] = metadata[word] || {}
      }
    }
    return results
  }
})()
