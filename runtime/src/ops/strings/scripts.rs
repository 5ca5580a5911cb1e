//! Kernels of Unicode that need its tables: scripts and normal forms.

use unicode_normalization::UnicodeNormalization as _;
use unicode_script::{Script, UnicodeScript as _};

use super::kernel::mapped;
use super::unicode::Target;
use crate::array::copy_of;
use crate::ir::{KernelContext, Outputs};
use crate::ops::UnicodeNormalize;
use crate::types::Result;

/// The ISO 15924 codes of scripts, by the number that ICU gives them.
const SCRIPTS: &str = "ZyyyZinhArabArmnBengBopoCherCoptCyrlDsrtDevaEthiGeorGothGrekGujrGuruHaniHangHebr\
HiraKndaKanaKhmrLaooLatnMlymMongMymrOgamItalOryaRunrSinhSyrcTamlTeluThaaThaiTibt\
CansYiiiTglgHanoBuhdTagbBraiCprtLimbLinbOsmaShawTaleUgarHrktBugiGlagKharSyloTalu\
TfngXpeoBaliBatkBlisBrahChamCirtCyrsEgydEgyhEgypGeokHansHantHmngHungIndsJavaKali\
LatfLatgLepcLinaMandMayaMeroNkooOrkhPermPhagPhnxMiaoRoroSaraSyreSyrjSyrnTengVaii\
VispXsuxZxxxZzzzCariJpanLanaLyciLydiOlckRjngSaurSgnwSundMoonMteiArmiAvstCakmKore\
KthiManiPhliPhlpPhlvPrtiSamrTavtZmthZsymBamuLisuNkgbSarbBassDuplElbaGranKpelLoma\
MendMercNarbNbatPalmSindWaraAfakJurcMrooNshuShrdSoraTakrTangWoleHluwKhojTirhAghb\
MahjAhomHatrModiMultPaucSiddAdlmBhksMarcNewaOsgeHanbJamoZsyeGonmSoyoZanbDogrGong\
MakaMedfRohgSogdSogoElymHmnpNandWchoChrsDiakKitsYeziCpmnOugrTnsaTotoVithKawiNagm";

pub(in crate::ops) fn script(c: &KernelContext<'_>) -> Result<Outputs> {
    let number = |n: &i32| -> i32 {
        let Ok(point) = u32::try_from(*n) else { return -1 };
        // Surrogates belong to no script.
        let script = match char::from_u32(point) {
            Some(c) => c.script(),
            None if point <= u32::from(char::MAX) => Script::Unknown,
            None => return -1,
        };
        let mut codes = SCRIPTS.as_bytes().chunks_exact(4);
        let place = codes.position(|known| known == script.short_name().as_bytes());
        // What is not known yet is unknown.
        place.map_or(103, |i| i as i32)
    };
    let points = c.input(0).as_slice::<i32>()?;
    let out = c.output_slice(c.input(0).dims(), |out: &mut [i32]| {
        out.iter_mut().zip(points).for_each(|(out, n)| *out = number(n));
        Ok(())
    })?;
    Ok([out].into())
}

/// The normal forms of Unicode.
pub(in crate::ops) const FORMS: [&str; 4] = ["NFC", "NFD", "NFKC", "NFKD"];

pub(in crate::ops) fn normalize(c: &KernelContext<'_>) -> Result<Outputs> {
    let form = c.get(UnicodeNormalize::FORM)?;
    mapped(c, |s| {
        if s.is_ascii() {
            return copy_of(s);
        }
        let text = String::from_utf8_lossy(s);
        let mut out = Vec::new();
        let mut push = |c| Target::Utf8.write(u32::from(c), &mut out);
        match form.as_str() {
            "NFC" => text.nfc().try_for_each(&mut push)?,
            "NFD" => text.nfd().try_for_each(&mut push)?,
            "NFKC" => text.nfkc().try_for_each(&mut push)?,
            _ => text.nfkd().try_for_each(&mut push)?,
        }
        Ok(out)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_have_the_numbers_of_icu() {
        let codes: Vec<&[u8]> = SCRIPTS.as_bytes().chunks_exact(4).collect();
        for (code, number) in
            [("Latn", 25), ("Thai", 38), ("Zzzz", 103), ("Hanb", 172), ("Nagm", 199)]
        {
            assert_eq!(codes[number], code.as_bytes());
        }
    }
}
