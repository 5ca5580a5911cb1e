//! Programs of seed 1, made by `autograph-fuzz`.

mod part0;
mod part1;
mod part2;
mod part3;
mod part4;
mod part5;
mod part6;
mod part7;
mod part8;
mod part9;
mod part10;
mod part11;
mod part12;
mod part13;
mod part14;
mod part15;
mod part16;
mod part17;
mod part18;
mod part19;

use crate::support::{Program, program};

pub(crate) const ALL: &[Program] = &[
    program!(part0::p4),
    program!(part0::p5),
    program!(part0::p7),
    program!(part1::p8),
    program!(part1::p9),
    program!(part1::p10),
    program!(part2::p12),
    program!(part2::p13),
    program!(part2::p14),
    program!(part2::p18),
    program!(part3::p22),
    program!(part3::p25),
    program!(part3::p26),
    program!(part3::p29),
    program!(part4::p30),
    program!(part4::p31),
    program!(part5::p32),
    program!(part5::p34),
    program!(part5::p39),
    program!(part6::p40),
    program!(part6::p41),
    program!(part6::p46),
    program!(part6::p50),
    program!(part7::p52),
    program!(part7::p53),
    program!(part7::p55),
    program!(part7::p58),
    program!(part8::p63),
    program!(part8::p65),
    program!(part9::p66),
    program!(part10::p67),
    program!(part10::p69),
    program!(part10::p71),
    program!(part10::p72),
    program!(part11::p73),
    program!(part11::p74),
    program!(part11::p75),
    program!(part12::p76),
    program!(part12::p78),
    program!(part12::p82),
    program!(part12::p83),
    program!(part13::p84),
    program!(part13::p85),
    program!(part13::p86),
    program!(part13::p87),
    program!(part14::p89),
    program!(part14::p91),
    program!(part14::p94),
    program!(part14::p97),
    program!(part15::p98),
    program!(part15::p99),
    program!(part15::p100),
    program!(part15::p101),
    program!(part16::p102),
    program!(part16::p103),
    program!(part16::p104),
    program!(part16::p107),
    program!(part17::p108),
    program!(part17::p110),
    program!(part17::p111),
    program!(part17::p116),
    program!(part18::p118),
    program!(part18::p120),
    program!(part18::p125),
    program!(part18::p126),
    program!(part18::p127),
    program!(part19::p129),
];
