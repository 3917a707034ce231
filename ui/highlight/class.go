package highlight

import (
	"github.com/alecthomas/chroma/v2"

	"overturn/themes"
)

// role is what a token is painted as; themes.Text is nothing of its own. Where a
// token is of no kind that stands here, the group that chroma counts it to decides.
func role(t chroma.TokenType) themes.Role {
	switch t {
	case chroma.KeywordType, chroma.NameClass, chroma.NameException:
		return themes.Type
	case chroma.KeywordConstant, chroma.NameConstant, chroma.LiteralStringEscape, chroma.LiteralStringSymbol,
		chroma.LiteralStringAtom, chroma.LiteralDate, chroma.NameBuiltinPseudo:
		return themes.Value
	case chroma.NameDecorator, chroma.NameAttribute, chroma.NameEntity, chroma.NameLabel, chroma.NameProperty, chroma.LiteralStringInterpol:
		return themes.Meta
	case chroma.NameTag, chroma.OperatorWord, chroma.GenericHeading, chroma.GenericSubheading:
		return themes.Keyword
	case chroma.LiteralStringDoc:
		return themes.Comment
	case chroma.NameBuiltin:
		return themes.Function
	}
	switch t.SubCategory() {
	case chroma.CommentPreproc, chroma.NameVariable:
		return themes.Meta
	case chroma.NameFunction:
		return themes.Function
	case chroma.LiteralString:
		return themes.String
	case chroma.LiteralNumber:
		return themes.Value
	}
	switch t.Category() {
	case chroma.Keyword:
		return themes.Keyword
	case chroma.Comment:
		return themes.Comment
	}
	return themes.Text
}
