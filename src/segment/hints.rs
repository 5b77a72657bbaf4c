//! The `FLOW` chunk: local names of each document, and what it says of values.
//!
//! Positions of occurrences are handed out as they are stored: who uses one has to ask whether the
//! document has that many.

use super::varint::{Cursor, put32, unzigzag, zigzag};
use crate::extract::record::{DocRecord, HintKind, Local, TypeHint, TypeHints};

/// Appends the stream of one document.
pub(super) fn encode(out: &mut Vec<u8>, hints: &TypeHints) {
    if hints.is_empty() {
        return;
    }
    put32(out, hints.locals.len() as u32);
    let mut last = 0;
    for local in &hints.locals {
        put32(out, local.declared.wrapping_sub(last));
        put32(out, zigzag(local.scope.start.wrapping_sub(local.declared)));
        put32(out, local.scope.end.wrapping_sub(local.scope.start));
        put_hint(out, local.hint, local.declared);
        last = local.declared;
    }
    put32(out, hints.values.len() as u32);
    let (mut last, mut near) = (0, 0);
    for (symbol, hint) in &hints.values {
        put32(out, symbol.wrapping_sub(last));
        put_hint(out, Some(*hint), near);
        if !hint.kind.is_alone() {
            near = hint.occurrence;
        }
        last = *symbol;
    }
    let mut last = 0;
    for (occurrence, hint) in &hints.receivers {
        put32(out, occurrence.wrapping_sub(last));
        put_hint(out, Some(*hint), *occurrence);
        last = *occurrence;
    }
}

fn put_hint(out: &mut Vec<u8>, hint: Option<TypeHint>, near: u32) {
    let Some(hint) = hint else {
        out.push(0);
        return;
    };
    out.push(hint.kind.code());
    if !hint.kind.is_alone() {
        put32(out, zigzag(hint.occurrence.wrapping_sub(near)));
    }
}

/// Looks for positions that the record does not have.
pub(super) fn check(record: &DocRecord) -> Result<(), &'static str> {
    let occurrences = record.occurrences.len() as u32;
    let known = |hint: &TypeHint| match !hint.kind.is_alone() {
        true => hint.occurrence < occurrences,
        false => hint.occurrence == 0,
    };
    let hints = &record.hints;
    let local = |local: &Local| {
        local.declared < occurrences
            && local.scope.start <= local.scope.end
            && local.scope.end <= occurrences
            && local.hint.iter().all(known)
    };
    if !hints.locals.iter().all(local) {
        return Err("a local name has no such occurrence");
    }
    let value =
        |(symbol, hint): &(u32, TypeHint)| (*symbol as usize) < record.symbols.len() && known(hint);
    if !hints.values.iter().all(value) {
        return Err("a value has no such symbol or occurrence");
    }
    let receiver = |(at, hint): &(u32, TypeHint)| *at < occurrences && known(hint);
    if !hints.receivers.iter().all(receiver) {
        return Err("a receiver has no such occurrence");
    }
    Ok(())
}

/// Reads a stream, up to its end or to where it is malformed; says whether it is whole.
pub(super) fn read(stream: &[u8]) -> (TypeHints, bool) {
    let mut hints = TypeHints::default();
    let mut cursor = Cursor::new(stream);
    let whole = cursor.is_empty() || read_into(&mut cursor, &mut hints).is_some();
    (hints, whole)
}

fn read_into(cursor: &mut Cursor<'_>, hints: &mut TypeHints) -> Option<()> {
    let count = cursor.u32()?;
    let mut last = 0u32;
    for _ in 0..count {
        let declared = last.wrapping_add(cursor.u32()?);
        let start = declared.wrapping_add(unzigzag(cursor.u32()?));
        let end = start.checked_add(cursor.u32()?)?;
        let hint = hint(cursor, declared)?;
        hints.locals.push(Local {
            declared,
            scope: start..end,
            hint,
        });
        last = declared;
    }
    let count = cursor.u32()?;
    let (mut last, mut near) = (0u32, 0);
    for _ in 0..count {
        let symbol = last.wrapping_add(cursor.u32()?);
        let hint = hint(cursor, near)??;
        if !hint.kind.is_alone() {
            near = hint.occurrence;
        }
        hints.values.push((symbol, hint));
        last = symbol;
    }
    let mut last = 0u32;
    while !cursor.is_empty() {
        let occurrence = last.wrapping_add(cursor.u32()?);
        hints
            .receivers
            .push((occurrence, hint(cursor, occurrence)??));
        last = occurrence;
    }
    Some(())
}

fn hint(cursor: &mut Cursor<'_>, near: u32) -> Option<Option<TypeHint>> {
    let code = cursor.byte()?;
    if code == 0 {
        return Some(None);
    }
    let kind = HintKind::from_code(code)?;
    let occurrence = match !kind.is_alone() {
        true => near.wrapping_add(unzigzag(cursor.u32()?)),
        false => 0,
    };
    Some(Some(TypeHint { kind, occurrence }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TypeHints {
        let hint = |kind, occurrence| TypeHint { kind, occurrence };
        TypeHints {
            locals: vec![
                Local {
                    declared: 3,
                    scope: 2..9,
                    hint: Some(hint(HintKind::Type, 4)),
                },
                Local {
                    declared: 300,
                    scope: 300..301,
                    hint: None,
                },
            ],
            values: vec![(0, hint(HintKind::This, 0)), (7, hint(HintKind::Result, 2))],
            receivers: vec![
                (5, hint(HintKind::Result, 4)),
                (9, hint(HintKind::Literal, 0)),
            ],
        }
    }

    #[test]
    fn flows_survive_and_a_prefix_is_no_whole_stream() {
        let mut bytes = Vec::new();
        encode(&mut bytes, &sample());
        assert_eq!(read(&bytes), (sample(), true));
        let receivers = bytes.len() - 5;
        for end in 1..receivers {
            assert!(!read(&bytes[..end]).1, "{end}");
        }
        assert_eq!(read(&[]), (TypeHints::default(), true));
        assert!(!read(&[0, 0, 1, 99]).1, "an unknown kind");
    }

    #[test]
    fn positions_that_do_not_exist_are_refused() {
        let mut record = DocRecord::empty(crate::extract::record::Grammar::Rust, 1);
        check(&record).unwrap();
        record.hints.receivers.push((
            0,
            TypeHint {
                kind: HintKind::Literal,
                occurrence: 0,
            },
        ));
        assert!(check(&record).is_err());
    }
}
